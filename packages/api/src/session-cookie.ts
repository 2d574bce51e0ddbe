import type { CookieSerializeOptions } from "@fastify/cookie";

/** Over https the name itself forbids a sibling host or a path to set it (RFC 6265bis §4.1.3.2). */
export function sessionCookie(publicUrl: URL | undefined): {
  name: string;
  attributes: CookieSerializeOptions;
} {
  const secure = publicUrl?.protocol === "https:";
  return {
    name: secure ? "__Host-signalbox_session" : "signalbox_session",
    attributes: { httpOnly: true, sameSite: "strict", secure, path: "/" },
  };
}
