import { expectFocus, expectNoSidewaysScroll, expectNoViolation } from "../accessible.ts";
import { expect, joined, ownStack, type Page, pressTwice } from "../journey.ts";

const { test } = ownStack("accounts");
test.describe.configure({ mode: "serial" });
test.use({ expectedNoise: /status of (401|403|422|409)|wrong/ });

const password = "correct horse battery";
let invitation = "";
let secret = "";

async function expectFit(page: Page): Promise<void> {
  for (const theme of ["light", "dark"] as const) await expectNoViolation(page, theme);
  await expectNoOverflow(page);
}

async function expectNoOverflow(page: Page): Promise<void> {
  const before = page.viewportSize();
  await expectNoSidewaysScroll(page, [360, 2560]);
  if (before !== null) await page.setViewportSize(before);
}

async function signIn(page: Page, email: string, secretWord = password): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Address").fill(email);
  await page.getByLabel("Password").fill(secretWord);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("the first administrator comes by the link, is told that it is good once, and sets up an account", async ({
  page,
  stack,
}) => {
  await page.goto(stack.signInLink());
  await page.getByRole("link", { name: "Set up your account" }).click();
  await expect(page.getByRole("heading", { name: "Set up your account", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Set up the account" }).click();
  for (const field of ["Name", "Address", "Password"])
    await expect(page.getByLabel(field)).toHaveAccessibleDescription(
      new RegExp(`The ${field.toLowerCase()} is missing: `),
    );
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription(
    /^12 to 200 characters, 5 of them different, and not your name or address/,
  );
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByLabel("Name").fill("x".repeat(101));
  await page.getByLabel("Address").fill("no address");
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Set up the account" }).click();
  await expect(page.getByLabel("Name")).toBeFocused();
  // Every fault at once, and not one in each round.
  await expect(page.getByRole("alert")).toHaveCount(3);
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Address").fill("ada@example.org");
  await page.getByRole("button", { name: "Set up the account" }).click();
  await expect(page.getByRole("alert")).toHaveCount(1);
  await expect(page.getByRole("alert")).toContainText("12 to 200 are allowed");
  await expectFit(page);
  await page.getByLabel("Password").fill(password);
  const renewed = page.waitForEvent("websocket");
  await page.getByRole("button", { name: "Set up the account" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await expect(page.getByText("You came by a link")).toHaveCount(0);
  await expect(page.getByText("Ada Lovelace, admin")).toBeVisible();
  // The link's session is over, and its stream within seconds: what is live until then is not what follows. A stream that is still
  // on its way when the session ends is refused, and the browser says so in its console.
  await (await renewed).waitForEvent("framereceived");
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${stack.origin}/sign-in`);
  await expect(page.getByRole("main")).toBeFocused();
  // Whoever leaves by themselves knows it.
  await expect(page.getByText("You were signed out")).toHaveCount(0);
});

test("who has an account signs in with it; a wrong password is refused in words", async ({ page }) => {
  await signIn(page, "", "");
  await expect(page.getByLabel("Address")).toHaveAccessibleDescription(/The address is missing/);
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription(/The password is missing/);
  await expect(page.getByLabel("Address")).toBeFocused();
  await page.getByRole("button", { name: "Use the link" }).click();
  await expect(page.getByLabel("Sign-in link")).toBeFocused();
  await expect(page.getByLabel("Sign-in link")).toHaveAccessibleDescription(/^The link is missing/);
  await signIn(page, "ada@example.org", "wrong password 1");
  await expect(page.getByText("The address or the password is wrong.")).toBeVisible();
  await expectFit(page);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
});

test("an administrator invites a member and makes a key, each secret shown once", async ({ page }) => {
  await signIn(page, "ada@example.org");
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Members" }).click();
  // The page before has fields of the same names.
  const invite = page.getByRole("region", { name: "Invite somebody" });
  await page.getByRole("button", { name: "Invite" }).click();
  await expect(invite.getByLabel("Name")).toBeFocused();
  await expect(invite.getByLabel("Name")).toHaveAccessibleDescription(/The name is missing: 1 to 100/);
  await expect(invite.getByLabel("Address")).toHaveAccessibleDescription(/The address is missing/);
  await invite.getByLabel("Name").fill("Grace");
  await page.getByRole("button", { name: "Invite" }).click();
  await expect(invite.getByLabel("Address")).toBeFocused();
  await invite.getByLabel("Address").fill("grace@example.org");
  await invite.getByLabel("Role").selectOption("operator");
  await page.getByRole("button", { name: "Invite" }).click();
  await expect(page.getByText("A link for Grace")).toBeVisible();
  await expect(page.getByRole("region", { name: "A link for Grace" })).toBeFocused();
  await expectFit(page);
  invitation = (await page.getByText("/invitation#").textContent()) ?? "";
  await page.getByRole("button", { name: "I have it" }).click();
  await expect(page.getByText("/invitation#")).toHaveCount(0);
  await expectFocus(page);
  const grace = page
    .getByRole("list", { name: "Members" })
    .getByRole("listitem")
    .filter({ hasText: "Grace" });
  await expect(grace).toContainText("Has never signed in; has a link until");
  await expect(grace.getByRole("button", { name: /^Sign out/ })).toHaveCount(0);

  const links = async () => {
    const record = await page.request.get("/v1/audit?eventType=SIGN_IN_LINK_CREATED");
    return (await record.text()).match(/"auditId"/g)?.length;
  };
  const linksBefore = await links();
  await pressTwice(grace.getByRole("button", { name: "New link" }));
  await expect(page.getByRole("region", { name: "A link for Grace" })).toBeFocused();
  expect(await links()).toBe((linksBefore ?? 0) + 1);
  invitation = (await page.getByText("/invitation#").textContent()) ?? "";

  await page.getByRole("link", { name: "Keys" }).click();
  await page.getByLabel("Label").fill("runner-7");
  await page.getByRole("button", { name: "Make the key" }).click();
  await expect(page.getByRole("alert")).toContainText("The packs are missing");
  await expect(page.getByLabel("Packs")).toBeFocused();
  await page.getByLabel("Packs").fill("implementer, verifier");
  await page.getByRole("button", { name: "Make the key" }).dblclick();
  secret = (await page.getByText(/^sbx_[\w-]{43}$/).textContent()) ?? "";
  await expectFit(page);
  await page.reload();
  await expect(page.getByRole("list", { name: "Keys" })).toContainText("verifier");
  await expect(page.getByRole("button", { name: "Revoke the key runner-7" })).toHaveCount(1);
  await expect(page.getByText(secret)).toHaveCount(0);

  const long = "x".repeat(80);
  await page.getByLabel("Label").fill(long);
  await page.getByLabel("Role").selectOption("viewer");
  await page.getByRole("button", { name: "Make the key" }).click();
  await expect(page.getByText(`The key “${long}”`)).toBeVisible();
  await expectNoOverflow(page);
});

test("the invited one comes by the link, chooses a password, and sees what an operator may", async ({
  page,
}) => {
  await page.goto(invitation);
  await expect(page.getByRole("heading", { name: "Set up your account", level: 1 })).toBeVisible();
  expect(page.url()).not.toContain("#");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Set up the account" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await page.goto("/settings/members");
  await expect(page.getByText("An administrator invites members")).toBeVisible();
  await page.goto("/settings/keys");
  await expect(page.getByText("reading keys needs the role auditor or admin")).toBeVisible();
  await page.goto("/audit");
  await expect(page.getByText("An administrator gives the role: ask Ada Lovelace.")).toBeVisible();
  await page.goto("/settings");
  const sessions = page.getByRole("list", { name: "Your sessions" }).getByRole("listitem");
  await expect(sessions).toHaveCount(1);
  await expectFit(page);
  await page.getByRole("button", { name: "Make the token" }).click();
  await expect(page.getByRole("alert")).toHaveCount(1);
  await page.getByLabel("Label").fill("my editor");
  await page.getByRole("button", { name: "Make the token" }).click();
  await expect(page.getByText("The token “my editor”")).toBeVisible();
  await expect(sessions.filter({ hasText: "my editor" })).toContainText("by a token");
  await expectFit(page);
  const shown = await page.getByText(/^sbt_/).textContent();
  const speak = () =>
    page.request.post("/mcp", {
      headers: { authorization: `Bearer ${shown?.trim()}` },
      data: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    });
  const token = sessions.filter({ hasText: "my editor" });
  await expect(token).toContainText(/not used yet; ends .*\d/);
  expect((await speak()).status()).toBe(200);
  await page.reload();
  await expect(token).toContainText(/last used .*; ends /);
  await sessions.filter({ hasText: "my editor" }).getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(sessions).toHaveCount(1);
  expect((await speak()).status()).toBe(401);
});

test("what cannot be taken back asks first, by keyboard too: a key is revoked, a member removed", async ({
  page,
  stack,
}) => {
  const packs = () => fetch(`${stack.origin}/v1/packs`, { headers: { authorization: `Bearer ${secret}` } });
  expect((await packs()).status).toBe(200);
  await signIn(page, "ada@example.org");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Revoke the key runner-7" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Revoke “runner-7”?" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Revoke the key runner-7" }).press("Enter");
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("list", { name: "Keys" })).toContainText("Revoked");
  expect((await packs()).status).toBe(401);

  await page.goto("/settings/members");
  await test.step("a role is chosen first, by an arrow key too, and a button gives it", async () => {
    const role = page.getByLabel("Role of Grace");
    const give = page.getByRole("button", { name: "Change role of Grace" });
    const members = async () => (await page.request.get("/v1/members")).text();
    await expect(give).toHaveAccessibleDescription("Choose another role first.");
    await role.press("ArrowDown");
    await expect(role).toHaveValue("approver");
    await expect(role).toBeFocused();
    expect(await members()).not.toContain("approver");
    await expect(give).toHaveAttribute("aria-disabled", "false");
    await give.press("Enter");
    await expect.poll(members).toContain("approver");
    await expect(give).toHaveAccessibleDescription("Choose another role first.");
    await expect(give).toBeFocused();
  });
  await page.getByRole("button", { name: "Remove Grace" }).click();
  await page.getByRole("dialog", { name: "Remove Grace?" }).getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("button", { name: "Remove Grace" })).toHaveCount(0);
  await expectFocus(page);
  const own = page.getByRole("button", { name: "Remove Ada Lovelace" });
  await expect(own).toHaveAccessibleDescription(/^The only administrator stays: give somebody else/);
  await own.press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByLabel("Role of Ada Lovelace")).toBeDisabled();
  await expectFit(page);
});

const row = (page: Page, name: string) =>
  page.getByRole("list", { name: "Members" }).getByRole("listitem").filter({ hasText: name });

async function openMembers(page: Page): Promise<void> {
  await page.goto("/settings/members");
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
}

test("the page of members hears who is invited, comes, is given another role or goes", async ({
  page,
  browser,
  stack,
}) => {
  await signIn(page, "ada@example.org");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await openMembers(page);
  const viewer = await joined(page, stack, browser, "Ben", "viewer");
  await expect(row(page, "Ben")).toContainText("Signed in last");
  await openMembers(viewer);

  const headers = { origin: stack.origin };
  const data = { email: "cleo@example.org", name: "Cleo", role: "viewer" };
  const invited = await page.request.post("/v1/members", { headers, data });
  const { member, invitation: link } = JSON.parse(await invited.text());
  for (const one of [page, viewer])
    await expect(row(one, "Cleo")).toContainText("Has never signed in; has a link until");

  const cleo = await browser.newContext({ baseURL: stack.origin });
  const token = new URL(link.link, stack.origin).hash.slice(1);
  await cleo.request.post("/v1/session", { headers, data: { token } });
  for (const one of [page, viewer]) await expect(row(one, "Cleo")).toContainText("Signed in last");
  await expect(row(page, "Cleo").getByRole("button", { name: "Sign out Cleo" })).toBeVisible();

  await page.getByLabel("Role of Cleo").selectOption("auditor");
  await page.request.patch(`/v1/members/${member.memberId}`, { headers, data: { role: "approver" } });
  await expect(row(viewer, "Cleo")).toContainText("approver");
  // What was chosen over another role than the one that it is now is chosen no more.
  await expect(page.getByLabel("Role of Cleo")).toHaveValue("approver");

  await page.request.delete(`/v1/members/${member.memberId}`, { headers });
  for (const one of [page, viewer]) await expect(row(one, "Cleo")).toHaveCount(0);
  await cleo.close();
  await viewer.context().close();
});

test("the page of keys hears which is made and which is revoked", async ({ page, stack }) => {
  await signIn(page, "ada@example.org");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await page.goto("/settings/keys");
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
  const own = page.getByRole("list", { name: "Keys" }).getByRole("listitem").filter({ hasText: "from afar" });
  await expect(own).toHaveCount(0);
  const headers = { origin: stack.origin };
  const data = { label: "from afar", role: "viewer" };
  const made = await page.request.post("/v1/keys", { headers, data });
  await expect(own).toContainText("never used");
  const { keyId } = JSON.parse(await made.text());
  expect((await page.request.delete(`/v1/keys/${keyId}`, { headers })).status()).toBe(204);
  await expect(own).toContainText("Revoked");
});
