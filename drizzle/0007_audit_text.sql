-- The payload keeps its bytes as text as it did as json; and one random UUID hides a short payload as well as the hash of two.
ALTER TABLE "signalbox"."audit_entries" ALTER COLUMN "salt" SET DEFAULT uuid_send(gen_random_uuid());--> statement-breakpoint
ALTER TABLE "signalbox"."audit_entries" ALTER COLUMN "payload" SET DATA TYPE text;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0007_audit_text', 'compatible');
