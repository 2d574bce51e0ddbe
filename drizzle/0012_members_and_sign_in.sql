CREATE TABLE "signalbox"."members" (
	"tenant_id" text NOT NULL,
	"member_id" text DEFAULT uuidv7()::text NOT NULL,
	"email" text,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text,
	"oidc_issuer" text,
	"oidc_subject" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" text NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "members_tenant_id_member_id_pk" PRIMARY KEY("tenant_id","member_id"),
	CONSTRAINT "members_oidc_whole" CHECK (("signalbox"."members"."oidc_issuer" is null) = ("signalbox"."members"."oidc_subject" is null))
);
--> statement-breakpoint
ALTER TABLE "signalbox"."members" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."sign_in_attempts" (
	"bucket" "bytea" PRIMARY KEY NOT NULL,
	"attempts" integer NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "signalbox"."keys" ADD COLUMN "pack_ids" text[];--> statement-breakpoint
ALTER TABLE "signalbox"."sessions" ADD COLUMN "method" text;--> statement-breakpoint
ALTER TABLE "signalbox"."sessions" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "signalbox"."sessions" ADD COLUMN "last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "signalbox"."sessions" ADD COLUMN "idle_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "signalbox"."sign_in_links" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "signalbox"."members" ADD CONSTRAINT "members_tenant_id_tenants_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "signalbox"."tenants"("tenant_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "members_email" ON "signalbox"."members" USING btree ("tenant_id","email") WHERE "signalbox"."members"."removed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "members_oidc" ON "signalbox"."members" USING btree ("tenant_id","oidc_issuer","oidc_subject") WHERE "signalbox"."members"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_by_actor" ON "signalbox"."sessions" USING btree ("tenant_id","actor_id","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_links_by_actor" ON "signalbox"."sign_in_links" USING btree ("tenant_id","actor_id","expires_at");--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."members" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."members"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."members"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."members" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);
--> statement-breakpoint
ALTER TABLE "signalbox"."members" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "member_id", "email", "name", "role", "created_by"),
  UPDATE ("email", "name", "role", "password_hash", "oidc_issuer", "oidc_subject", "removed_at")
  ON "signalbox"."members" TO "signalbox_app";--> statement-breakpoint
GRANT INSERT ("pack_ids") ON "signalbox"."keys" TO "signalbox_app";--> statement-breakpoint
GRANT INSERT ("method", "user_agent", "idle_expires_at"), UPDATE ("last_seen_at", "idle_expires_at")
  ON "signalbox"."sessions" TO "signalbox_app";--> statement-breakpoint
GRANT INSERT ("created_by") ON "signalbox"."sign_in_links" TO "signalbox_app";--> statement-breakpoint

-- The same look-ups as before, with what they tell more. Columns are added at the end: an older binary reads on.
DROP FUNCTION "signalbox"."find_key_by_hash"(bytea);--> statement-breakpoint
CREATE FUNCTION "signalbox"."find_key_by_hash"("wanted" bytea)
  RETURNS TABLE ("tenant_id" text, "key_id" uuid, "label" text, "role" text, "status" text, "pack_ids" json)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT found.tenant_id, found.key_id, found.label, found.role,
         CASE WHEN found.revoked_at IS NOT NULL THEN 'revoked'
              WHEN found.expires_at <= now() THEN 'expired'
              ELSE 'active' END,
         to_json(found.pack_ids)
  FROM signalbox.keys AS found WHERE found.hash = wanted;
END;--> statement-breakpoint
-- The role is the member's of this moment, and a session or a link of somebody who was removed is nobody's.
DROP FUNCTION "signalbox"."find_session_by_hash"(bytea);--> statement-breakpoint
CREATE FUNCTION "signalbox"."find_session_by_hash"("wanted" bytea)
  RETURNS TABLE ("tenant_id" text, "session_id" uuid, "actor_id" text, "role" text, "expires_at" timestamptz, "status" text,
                 "member_name" text, "method" text, "open_seconds" integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT found.tenant_id, found.session_id, found.actor_id, coalesce(own.role, found.role), found.expires_at,
         CASE WHEN found.ended_at IS NOT NULL OR own.member_id IS NULL THEN 'ended'
              WHEN found.expires_at <= now() OR found.idle_expires_at <= now() THEN 'expired'
              ELSE 'active' END,
         own.name, found.method, floor(extract(epoch FROM now() - found.created_at))::integer
  FROM signalbox.sessions AS found
  LEFT JOIN signalbox.members AS own
    ON own.tenant_id = found.tenant_id AND own.member_id = found.actor_id AND own.removed_at IS NULL
  WHERE found.hash = wanted;
END;--> statement-breakpoint
DROP FUNCTION "signalbox"."find_sign_in_link_by_hash"(bytea);--> statement-breakpoint
CREATE FUNCTION "signalbox"."find_sign_in_link_by_hash"("wanted" bytea)
  RETURNS TABLE ("tenant_id" text, "link_id" uuid, "actor_id" text, "role" text, "status" text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT found.tenant_id, found.link_id, found.actor_id, coalesce(own.role, found.role),
         CASE WHEN found.used_at IS NOT NULL THEN 'used'
              WHEN found.expires_at <= now() OR own.member_id IS NULL THEN 'expired'
              ELSE 'active' END
  FROM signalbox.sign_in_links AS found
  LEFT JOIN signalbox.members AS own
    ON own.tenant_id = found.tenant_id AND own.member_id = found.actor_id AND own.removed_at IS NULL
  WHERE found.hash = wanted;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."find_key_by_hash"(bytea) TO "signalbox_app";--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."find_session_by_hash"(bytea) TO "signalbox_app";--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."find_sign_in_link_by_hash"(bytea) TO "signalbox_app";--> statement-breakpoint

-- Counts one attempt in each bucket and says how many seconds must pass when one is full, or 0. It counts before the
-- password is looked at, so that of many attempts at once no more are let through than of many in a row.
CREATE FUNCTION "signalbox"."count_sign_in_attempt"("buckets" json) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  wait integer := 0;
  given record;
  found record;
BEGIN
  -- One that counts at this moment holds its row, and is passed over.
  DELETE FROM signalbox.sign_in_attempts AS gone WHERE gone.bucket IN (
    SELECT ended.bucket FROM signalbox.sign_in_attempts AS ended
    WHERE ended.ends_at < now() - interval '1 hour' LIMIT 100 FOR UPDATE SKIP LOCKED
  );
  -- In one order, or two attempts would wait for each other.
  FOR given IN
    SELECT decode(own.bucket, 'hex') AS bucket, own.most, own.seconds
    FROM json_to_recordset(buckets) AS own (bucket text, most integer, seconds integer) ORDER BY 1
  LOOP
    INSERT INTO signalbox.sign_in_attempts AS known (bucket, attempts, ends_at)
    VALUES (given.bucket, 1, clock_timestamp() + make_interval(secs => given.seconds))
    ON CONFLICT (bucket) DO UPDATE SET
      attempts = CASE WHEN known.ends_at <= clock_timestamp() THEN 1 ELSE known.attempts + 1 END,
      ends_at = CASE WHEN known.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE known.ends_at END
    RETURNING known.attempts, known.ends_at INTO found;
    IF found.attempts > given.most THEN
      wait := greatest(wait, ceil(extract(epoch FROM found.ends_at - clock_timestamp()))::integer, 1);
    END IF;
  END LOOP;
  RETURN wait;
END $$;--> statement-breakpoint
-- Who signed in is forgiven: what counted against the account is forgotten, and the address has back its one attempt.
CREATE FUNCTION "signalbox"."forgive_sign_in_attempt"("forgotten" json, "returned" json) RETURNS void
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  DELETE FROM signalbox.sign_in_attempts
  WHERE bucket IN (SELECT decode(own.bucket, 'hex') FROM json_to_recordset(forgotten) AS own (bucket text));
  UPDATE signalbox.sign_in_attempts SET attempts = greatest(attempts - 1, 0)
  WHERE bucket IN (SELECT decode(own.bucket, 'hex') FROM json_to_recordset(returned) AS own (bucket text));
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."count_sign_in_attempt"(json) TO "signalbox_app";--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."forgive_sign_in_attempt"(json, json) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0012_members_and_sign_in', 'compatible');
