import { z } from "zod";

/** SAP §3: RFC 4122 (now RFC 9562), any version. */
export const UuidSchema = z.uuid({ error: "expected an RFC 4122 UUID" });

/** SAP §3: a real moment, to the second, in UTC. Year 0000 is left out, which PostgreSQL cannot hold. */
export const SecondsTimestampSchema = z.iso
  .datetime({ precision: 0, error: "expected a UTC time as YYYY-MM-DDTHH:MM:SSZ" })
  .regex(/^(?!0000)/, { error: "expected a year from 0001" });

/** An object of the text whose members it leaves open. */
export const OpenObjectSchema = z.record(z.string(), z.unknown());

export const ProtocolVersionSchema = z.literal("2.0");

/** Names somebody or something; an empty one names nothing. */
export const NameSchema = z.string().min(1);
