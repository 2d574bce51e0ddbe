import { expectAccessible, expectFocus, expectNoSidewaysScroll } from "../accessible.ts";
import { expect, joined, ownStack, type Page } from "../journey.ts";
import { examplePolicy, putPolicy, registerItsPacks, storedText } from "../policies.ts";

const { signedInTest: test } = ownStack("policies-together");
test.describe.configure({ mode: "serial" });

/** Another administrator, in a browser of their own. */
let vera: Page;

test.beforeAll(async ({ stack }) => {
  await registerItsPacks(stack);
  await putPolicy(stack, "1.0.0", true);
  await putPolicy(stack, "1.1.0");
});

test.describe("of two who write at once", () => {
  test.use({ expectedNoise: /status of (409|412)/ });

  test("the second is told by whom the moment it happens, shown both, and loses nothing", async ({
    page,
    stack,
    browser,
  }) => {
    vera = await joined(page, stack, browser, "Vera");
    for (const one of [page, vera]) {
      await one.goto(`${stack.origin}/policies/edit?version=1.1.0`);
      await expect(one.getByText(/^No faults/)).toBeVisible();
    }
    await page.getByLabel("Most stages in the queue").fill("77");
    await vera.getByLabel("Packs weighed at most").fill("5");
    await vera.getByRole("button", { name: "Save the draft" }).click();
    await expect(vera.getByText("Saved as a draft.")).toBeVisible();

    await expect(page.getByRole("alert")).toContainText("Vera has saved edit 2 of this draft meanwhile");
    await page.keyboard.press("Control+s");
    await expect(page.getByText("1.1.0 was changed while you wrote, by Vera")).toBeVisible();
    const saving = page.getByRole("button", { name: "Save the draft" });
    await expect(saving).toHaveAttribute("aria-disabled", "true");
    await expect(saving).toHaveAccessibleDescription(/Both texts come together first/);
    await expect(page.getByRole("textbox", { name: "Yours" })).toContainText("max_global_queue_depth: 77");
    await expect(page.getByRole("textbox", { name: "Theirs" })).toContainText("max_candidate_agents: 5");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Bring both together" }).click();
    await expectFocus(page);
    await page.getByRole("button", { name: "Save the draft" }).click();
    await expect(page.getByText("Saved as a draft.")).toBeVisible();
    const text = await storedText(stack, "1.1.0");
    expect(text).toContain("max_global_queue_depth: 77");
    expect(text).toContain("max_candidate_agents: 5");
  });
});

test("an open editor is told that its draft was published, by whom, and keeps what is written as a new draft", async ({
  page,
  stack,
}) => {
  await putPolicy(stack, "1.2.0");
  await page.goto("/policies/edit?version=1.2.0");
  await page.getByLabel("Most stages in the queue").fill("99");
  await expect(page.getByText(/^No faults/)).toBeVisible();
  const publish = (version: string, note: string) =>
    vera.request.post(`/v1/routing-policies/${version}/publish`, {
      headers: { origin: stack.origin },
      data: { note },
    });
  expect((await publish("1.2.0", "It could not wait")).status()).toBe(200);

  const told = page.getByRole("alert", { name: "1.2.0 is no draft any more" });
  await expect(told).toContainText("1.2.0 was published by Vera while it was open here");
  await expect(told).toContainText("It could not wait");
  await expect(page.getByRole("button", { name: "Save the draft" })).toHaveAccessibleDescription(
    /1\.2\.0 is no draft any more/,
  );
  await told.getByRole("button", { name: "See the difference" }).click();
  await expect(page.getByRole("textbox", { name: /what you wrote, beside 1\.2\.0/ })).toContainText("99");
  await expectAccessible(page);
  await expectNoSidewaysScroll(page, [2560, 360]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await told.getByRole("button", { name: "Keep my text as draft 1.3.0" }).press("Enter");
  await expect(page.getByText("Saved as a draft.")).toBeVisible();
  await expect(page).toHaveURL("/policies/edit?version=1.3.0");
  await expect(told).toHaveCount(0);
  await expectFocus(page);
  expect(await storedText(stack, "1.3.0")).toContain("max_global_queue_depth: 99");

  await page.getByLabel("Most stages in the queue").fill("98");
  expect((await publish("1.3.0", "")).status()).toBe(200);
  await page.getByRole("button", { name: "Drop mine and show 1.3.0" }).click();
  await expect(page).toHaveURL("/policies/1.3.0");
  await expectFocus(page);

  await putPolicy(stack, "1.4.0");
  await page.goto("/policies/edit?version=1.4.0");
  await page.getByLabel("Most stages in the queue").fill("97");
  const discarded = await vera.request.delete("/v1/routing-policies/1.4.0", {
    headers: { origin: stack.origin, "if-match": '"1"' },
  });
  expect(discarded.ok(), await discarded.text()).toBe(true);
  await expect(page.getByText("1.4.0 was discarded by Vera while it was open here")).toBeVisible();
  await page.getByRole("button", { name: "Drop mine" }).click();
  await expect(page).toHaveURL("/policies");
});

test.describe("a draft that nobody wants and that is discarded", () => {
  test.use({ expectedNoise: /status of 404|There is no routing policy 1\.9\.0/ });

  test("is gone from the list, from the way back, and from whoever looks at it elsewhere", async ({
    page,
    stack,
  }) => {
    await putPolicy(stack, "1.9.0");
    await vera.goto("/policies/1.9.0");
    await page.goto("/policies/1.9.0");
    const edited = await page.request.put("/v1/routing-policies/1.9.0", {
      headers: { origin: stack.origin, "if-match": '"1"', "content-type": "application/yaml" },
      data: `${examplePolicy.replace(`version: "1.0.0"`, `version: "1.9.0"`)}# more\n`,
    });
    expect(edited.ok(), await edited.text()).toBe(true);
    await expect(page.getByText("# more")).toBeVisible();
    await page.getByRole("button", { name: "Discard the draft 1.9.0" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Discard the draft 1.9.0?" });
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(vera.getByText("# more")).toBeVisible();

    await page.getByRole("button", { name: "Discard the draft 1.9.0" }).click();
    await dialog.getByRole("button", { name: "Discard" }).click();
    await expect(page).toHaveURL("/policies");
    await expect(page.getByRole("link", { name: "1.9.0", exact: true })).toHaveCount(0);
    await expect(vera.getByText("This version of the routing policy is not here")).toBeVisible();
    await page.goBack();
    await expect(page.getByText("This version of the routing policy is not here")).toBeVisible();
  });
});

test("a role that is taken away closes the controls of open pages at once, and says so; what was typed stays", async ({
  page,
  stack,
}) => {
  await vera.goto("/policies/edit");
  const depth = vera.getByLabel("Most stages in the queue");
  await depth.fill("31");
  const { members }: { members: { memberId: string; name: string }[] } = JSON.parse(
    await (await page.request.get("/v1/members")).text(),
  );
  const { memberId } = members.find(({ name }) => name === "Vera") ?? { memberId: "" };
  const become = (role: string) =>
    page.request.patch(`/v1/members/${memberId}`, { headers: { origin: stack.origin }, data: { role } });
  expect((await become("viewer")).status()).toBe(200);
  await expect(vera.getByRole("alert")).toContainText("Your role is viewer now; it was admin");
  await expect(depth).toBeDisabled();
  await expect(depth).toHaveValue("31");
  await expectFocus(vera);
  await expect(vera.getByRole("button", { name: "Save the draft" })).toHaveAccessibleDescription(
    "drafting a routing policy needs the role operator or admin.",
  );
  await vera.getByRole("button", { name: "I have read it" }).click();
  await expect(vera.getByRole("alert")).toHaveCount(0);
  await expectFocus(vera);
  expect((await become("operator")).status()).toBe(200);
  await expect(depth).toBeEnabled();
  await expect(depth).toHaveValue("31");
  // The stream that it comes back to is the new role's.
  await page.goto("/policies");
  await expect(vera.getByRole("status", { name: "Connection" })).toHaveText("Live");
  await putPolicy(stack, "1.5.0");
  await expect(vera.getByRole("link", { name: "Open the draft 1.5.0" })).toBeVisible();
});
