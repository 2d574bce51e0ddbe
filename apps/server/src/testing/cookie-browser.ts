export type CookieBrowser = ReturnType<typeof cookieBrowser>;

/** A browser as far as redirects and cookies go: cookies are a host's, whatever its port, as they are in a real one. */
export function cookieBrowser(kept: Record<string, string> = {}) {
  const cookies = new Map(Object.entries(kept));

  async function step(url: URL, init: RequestInit = {}): Promise<Response> {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { ...Object.fromEntries(new Headers(init.headers)), cookie },
    });
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ""] = set.split(";", 1);
      const equals = pair.indexOf("=");
      const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
      if (value === "" || /expires=thu, 01 jan 1970/i.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  }

  return {
    cookies,
    step,
    /** Follows redirects until one fits, which is not followed, or there are no more. */
    async follow(
      from: URL,
      until: (url: URL) => boolean = () => false,
    ): Promise<{ url: URL; answer: Response }> {
      let url = from;
      for (let steps = 0; steps < 12; steps += 1) {
        const answer = await step(url);
        const location = answer.headers.get("location");
        if (location === null) return { url, answer };
        url = new URL(location, url);
        if (until(url)) return { url, answer };
      }
      throw new Error(`redirected without end, last to ${url.href}`);
    },
  };
}
