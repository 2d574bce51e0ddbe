import { type Browser, expect, type Locator, test as base, type Page } from "@playwright/test";
import { startStack, type Stack } from "./stack.ts";

type Cookies = Awaited<ReturnType<ReturnType<Page["context"]>["cookies"]>>;
type WorkerFixture<Value> = (needed: object, use: (value: Value) => Promise<void>) => Promise<void>;
type WorkerFixtures = { stack: Stack; session: Cookies };
type TestFixtures = {
  /** What the console may say in this test, since the test provokes it. */
  expectedNoise: RegExp | undefined;
  quietConsole: undefined;
};

/** A Signalbox for each worker, and a page that nobody is signed in to. Every test fails on an unexpected word in the console. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  stack: [
    // Playwright reads from the pattern what a fixture needs: this one needs nothing.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use, { workerIndex }) => {
      const stack = await startStack(`worker-${workerIndex}`);
      await use(stack);
      await stack.remove();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  session: [
    async ({ stack, browser }, use) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await signIn(page, stack);
      const cookies = await context.cookies();
      await context.close();
      await use(cookies);
    },
    { scope: "worker" },
  ],
  baseURL: async ({ stack }, use) => use(stack.origin),
  expectedNoise: [undefined, { option: true }],
  quietConsole: [
    async ({ page, expectedNoise }, use) => {
      const noise: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") noise.push(message.text());
      });
      page.on("pageerror", (error) => noise.push(error.message));
      await page.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
          console.error(`content security policy: ${violatedDirective} blocked ${blockedURI}`);
        });
      });
      await use(undefined);
      expect(noise.filter((text) => expectedNoise?.test(text) !== true)).toEqual([]);
    },
    { auto: true },
  ],
});

/** The same, signed in. */
export const signedInTest = test.extend<{ signedIn: undefined }>({
  signedIn: [
    async ({ context, session }, use) => {
      await context.addCookies(session);
      await use(undefined);
    },
    { auto: true },
  ],
});

/** For a file whose tests need a Signalbox of their own: one that nobody has touched, or that they stop. */
export function ownStack(name: string) {
  const stack: [WorkerFixture<Stack>, { scope: "worker"; timeout: number }] = [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const own = await startStack(name);
      await use(own);
      await own.remove();
    },
    { scope: "worker", timeout: 60_000 },
  ];
  return {
    test: test.extend<object, { stack: Stack }>({ stack }),
    signedInTest: signedInTest.extend<object, { stack: Stack }>({ stack }),
  };
}

async function signIn(page: Page, stack: Stack): Promise<void> {
  await page.goto(stack.signInLink());
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
}

/** Another member, invited by whoever is signed in to the page, and signed in to a browser of their own. */
export async function joined(
  { request }: Page,
  { origin }: Stack,
  browser: Browser,
  name: string,
  role = "admin",
): Promise<Page> {
  const data = { email: `${name.toLowerCase()}@example.org`, name, role };
  const invited = await request.post(`${origin}/v1/members`, { headers: { origin }, data });
  const { invitation }: { invitation: { link: string } } = JSON.parse(await invited.text());
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto(new URL(invitation.link, origin).href);
  await page.getByLabel("Password").fill("points and signals at night");
  await page.getByRole("button", { name: "Set up the account" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  return page;
}

/** Pressed twice before the page could draw anything of the first, as by a double click or a key that is held. */
export const pressTwice = (control: Locator): Promise<void> =>
  control.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });

export { expect };
export type { Page } from "@playwright/test";
