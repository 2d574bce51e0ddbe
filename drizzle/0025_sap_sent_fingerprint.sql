ALTER TABLE "signalbox"."sap_tasks" ADD COLUMN "sent_fingerprint" "bytea";--> statement-breakpoint
ALTER TABLE "signalbox"."sap_tasks" ADD CONSTRAINT "sap_tasks_sent_fingerprint_is_sha256" CHECK (octet_length("signalbox"."sap_tasks"."sent_fingerprint") = 32);--> statement-breakpoint
GRANT INSERT ("sent_fingerprint") ON "signalbox"."sap_tasks" TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0025_sap_sent_fingerprint', 'compatible');
