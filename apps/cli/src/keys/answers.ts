import { z } from "zod";

export const key = z.looseObject({
  keyId: z.string(),
  prefix: z.string(),
  label: z.string(),
  role: z.string(),
  packIds: z.array(z.string()).nullable(),
  createdAt: z.string(),
  createdBy: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
export type Key = z.infer<typeof key>;

export const createdKey = key.extend({ secret: z.string() });
