-- What must be known before the tenant is: who holds this hash. Each function runs as the owner, finds at most one row by
-- 32 exact bytes, and judges its time on the database's clock.
CREATE FUNCTION "signalbox"."find_key_by_hash"("wanted" bytea)
  RETURNS TABLE ("tenant_id" text, "key_id" uuid, "label" text, "role" text, "status" text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT found.tenant_id, found.key_id, found.label, found.role,
         CASE WHEN found.revoked_at IS NOT NULL THEN 'revoked'
              WHEN found.expires_at <= now() THEN 'expired'
              ELSE 'active' END
  FROM signalbox.keys AS found WHERE found.hash = wanted;
END;--> statement-breakpoint
CREATE FUNCTION "signalbox"."find_session_by_hash"("wanted" bytea)
  RETURNS TABLE ("tenant_id" text, "session_id" uuid, "actor_id" text, "role" text, "expires_at" timestamptz, "status" text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT found.tenant_id, found.session_id, found.actor_id, found.role, found.expires_at,
         CASE WHEN found.ended_at IS NOT NULL THEN 'ended'
              WHEN found.expires_at <= now() THEN 'expired'
              ELSE 'active' END
  FROM signalbox.sessions AS found WHERE found.hash = wanted;
END;--> statement-breakpoint
CREATE FUNCTION "signalbox"."find_sign_in_link_by_hash"("wanted" bytea)
  RETURNS TABLE ("tenant_id" text, "link_id" uuid, "actor_id" text, "role" text, "status" text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT found.tenant_id, found.link_id, found.actor_id, found.role,
         CASE WHEN found.used_at IS NOT NULL THEN 'used'
              WHEN found.expires_at <= now() THEN 'expired'
              ELSE 'active' END
  FROM signalbox.sign_in_links AS found WHERE found.hash = wanted;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."find_key_by_hash"(bytea) TO "signalbox_app";--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."find_session_by_hash"(bytea) TO "signalbox_app";--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."find_sign_in_link_by_hash"(bytea) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0003_look_ups', 'breaking');
