CREATE TABLE "signalbox"."attachments" (
	"tenant_id" text NOT NULL,
	"attachment_id" uuid DEFAULT uuidv7() NOT NULL,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"size" integer NOT NULL,
	"digest" "bytea" NOT NULL,
	"link_secret" "bytea" NOT NULL,
	"kept_by" text NOT NULL,
	"kept_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone DEFAULT now() + interval '30 days' NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "attachments_tenant_id_attachment_id_pk" PRIMARY KEY("tenant_id","attachment_id"),
	CONSTRAINT "attachments_digest_is_sha256" CHECK (octet_length("signalbox"."attachments"."digest") = 32),
	CONSTRAINT "attachments_link_secret_is_long" CHECK (octet_length("signalbox"."attachments"."link_secret") = 32),
	CONSTRAINT "attachments_size_is_the_contents" CHECK (octet_length("signalbox"."attachments"."content") = "signalbox"."attachments"."size")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."attachments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE INDEX "attachments_by_expiry" ON "signalbox"."attachments" USING btree ("tenant_id","expires_at","size");--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."attachments" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."attachments"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."attachments"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
ALTER TABLE "signalbox"."attachments" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "name", "media_type", "size", "digest", "link_secret", "kept_by", "content"), DELETE
  ON "signalbox"."attachments" TO "signalbox_app";--> statement-breakpoint
-- Most of what is attached is compressed already.
ALTER TABLE "signalbox"."attachments" ALTER COLUMN "content" SET STORAGE EXTERNAL;--> statement-breakpoint
-- What an answer on record names stays what it was: it is never changed, and goes only when its time is over.
CREATE TRIGGER "attachments_keep_rows" BEFORE UPDATE ON "signalbox"."attachments"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "attachments_keep_their_time" BEFORE DELETE ON "signalbox"."attachments"
  FOR EACH ROW WHEN (OLD."expires_at" > now()) EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "attachments_keep_all" BEFORE TRUNCATE ON "signalbox"."attachments"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0020_attachments', 'compatible');
