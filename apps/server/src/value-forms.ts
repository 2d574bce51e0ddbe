import { isIP } from "node:net";
import type { Tenant } from "@signalbox/engine";
import type { SapStream } from "@signalbox/link";

export const hostname =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

export const isOrigin = (text: string) => {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
  return url.pathname === "/" && url.search + url.hash + url.username + url.password === "";
};
export const isIssuer = (text: string) => {
  const url = URL.parse(text);
  if (url === null || url.search + url.hash + url.username + url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
};
const isLoopback = (host: string) => ["localhost", "127.0.0.1", "[::1]"].includes(host);
const isDecodable = (text: string) => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};
export const isPostgresUrl = (text: string) => {
  const url = URL.parse(text);
  if (url === null || !["postgres:", "postgresql:"].includes(url.protocol)) return false;
  return (
    url.pathname.length > 1 && [url.username, url.password, url.hostname, url.pathname].every(isDecodable)
  );
};
/** What the client of Redis reads; of anything else it says so only once it connects. */
export const isRedisUrl = (text: string) => {
  const url = URL.parse(text);
  if (url === null || !["redis:", "rediss:"].includes(url.protocol)) return false;
  return /^(?:\/\d*)?$/.test(url.pathname) && [url.username, url.password].every(isDecodable);
};
/** A name or an address, perhaps with a port; in a URL it stands as it was read, so nothing else can hide in it. */
export const refHostOf = (text: string): string | undefined => {
  const url = URL.parse(`http://${text}`);
  if (url === null || text === "" || !/^[a-z0-9.:[\]-]+$/i.test(text)) return undefined;
  const port = /:(\d+)$/.exec(text.replace(/^\[.*\]/, ""))?.[1];
  return port === undefined ? url.host : `${url.hostname}:${Number(port)}`;
};
/** 32 characters of this alphabet carry at least 128 bits when they are drawn at random; a repeated letter was not. */
export const isStrongKey = (text: string) => /^[A-Za-z0-9_-]{32,200}$/.test(text) && new Set(text).size >= 10;

const tenantIdForm = "[A-Za-z0-9][A-Za-z0-9._\\-]{0,127}";
const tenantForm = new RegExp(`^(${tenantIdForm})(?:=([^\\p{C}]{1,200}))?$`, "u");
export const readTenant = (text: string): Tenant | undefined => {
  const [, tenantId, name] = tenantForm.exec(text) ?? [];
  return tenantId === undefined ? undefined : { tenantId, name: name ?? tenantId };
};

const sapStreamForm = new RegExp(`^(${tenantIdForm})/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`);
export const readSapStream = (text: string): SapStream | undefined => {
  const [, tenantId, keyId] = sapStreamForm.exec(text) ?? [];
  return tenantId === undefined || keyId === undefined ? undefined : { tenantId, keyId };
};

/** A range of all addresses would let everybody say where they come from. */
export const isProxy = (text: string) => {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
};
