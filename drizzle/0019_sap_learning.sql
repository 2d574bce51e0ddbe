CREATE TABLE "signalbox"."sap_aggregates" (
	"tenant_id" text NOT NULL,
	"scope" text NOT NULL,
	"capability" text NOT NULL,
	"territory" text NOT NULL,
	"fingerprint" text NOT NULL,
	"aggregate" text NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sap_aggregates_tenant_id_scope_capability_territory_fingerprint_pk" PRIMARY KEY("tenant_id","scope","capability","territory","fingerprint")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."sap_aggregates" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."sap_decisions" (
	"tenant_id" text NOT NULL,
	"proposal_id" uuid NOT NULL,
	"decision" text NOT NULL,
	"decided_by_type" integer NOT NULL,
	"decided_by" text NOT NULL,
	"reason" text NOT NULL,
	"policy_version" text,
	"decided_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sap_decisions_tenant_id_proposal_id_pk" PRIMARY KEY("tenant_id","proposal_id"),
	CONSTRAINT "sap_decisions_decision" CHECK (decision in ('accepted', 'refused', 'superseded')),
	CONSTRAINT "sap_decisions_accepted_takes_effect" CHECK ((decision = 'accepted') = (policy_version is not null))
);
--> statement-breakpoint
ALTER TABLE "signalbox"."sap_decisions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."sap_learners" (
	"tenant_id" text NOT NULL,
	"transaction" "xid8" DEFAULT '0' NOT NULL,
	"signal_id" uuid DEFAULT '00000000-0000-0000-0000-000000000000' NOT NULL,
	"learnt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sap_learners_tenant_id_pk" PRIMARY KEY("tenant_id")
);
--> statement-breakpoint
ALTER TABLE "signalbox"."sap_learners" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."sap_proposals" (
	"tenant_id" text NOT NULL,
	"proposal_id" uuid DEFAULT uuidv7() NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"proposal" text NOT NULL,
	"policy_version" text,
	"proposed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sap_proposals_tenant_id_proposal_id_pk" PRIMARY KEY("tenant_id","proposal_id"),
	CONSTRAINT "sap_proposals_digest_is_sha256" CHECK (octet_length("signalbox"."sap_proposals"."digest") = 32)
);
--> statement-breakpoint
ALTER TABLE "signalbox"."sap_proposals" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "signalbox"."sap_signals" (
	"tenant_id" text NOT NULL,
	"transaction" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"signal_id" uuid DEFAULT uuidv7() NOT NULL,
	"kind" text NOT NULL,
	"capability" text NOT NULL,
	"territory" text NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"task_id" uuid,
	"rated_by" text,
	"signal" text NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sap_signals_tenant_id_transaction_signal_id_pk" PRIMARY KEY("tenant_id","transaction","signal_id"),
	CONSTRAINT "sap_signals_fingerprint_is_sha256" CHECK (octet_length("signalbox"."sap_signals"."fingerprint") = 32),
	CONSTRAINT "sap_signals_rating_is_somebodys" CHECK ((kind = 'rating') = (rated_by is not null))
);
--> statement-breakpoint
ALTER TABLE "signalbox"."sap_signals" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE INDEX "sap_proposals_by_subject" ON "signalbox"."sap_proposals" USING btree ("tenant_id","subject","proposal_id");--> statement-breakpoint
CREATE INDEX "sap_signals_ratings" ON "signalbox"."sap_signals" USING btree ("tenant_id","task_id","transaction") WHERE kind = 'rating';--> statement-breakpoint
CREATE INDEX "sap_cache_records_by_age" ON "signalbox"."sap_cache_records" USING btree ("tenant_id","stored_at","record_id");--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."sap_aggregates" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."sap_aggregates"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."sap_aggregates"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."sap_decisions" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."sap_decisions"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."sap_decisions"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."sap_learners" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."sap_learners"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."sap_learners"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."sap_learners" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."sap_proposals" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."sap_proposals"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), '')) WITH CHECK ("signalbox"."sap_proposals"."tenant_id" = NULLIF(current_setting('signalbox.tenant_id', true), ''));--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."sap_signals" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."sap_signals"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."sap_signals"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."sap_signals" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
ALTER TABLE "signalbox"."sap_signals" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."sap_learners" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."sap_aggregates" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."sap_proposals" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "signalbox"."sap_decisions" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "kind", "capability", "territory", "fingerprint", "task_id", "rated_by", "signal")
  ON "signalbox"."sap_signals" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id"), UPDATE ("transaction", "signal_id", "learnt_at")
  ON "signalbox"."sap_learners" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "scope", "capability", "territory", "fingerprint", "aggregate"), UPDATE ("aggregate", "changed_at")
  ON "signalbox"."sap_aggregates" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "kind", "subject", "digest", "proposal", "policy_version")
  ON "signalbox"."sap_proposals" TO "signalbox_app";--> statement-breakpoint
GRANT SELECT, INSERT ("tenant_id", "proposal_id", "decision", "decided_by_type", "decided_by", "reason", "policy_version")
  ON "signalbox"."sap_decisions" TO "signalbox_app";--> statement-breakpoint

-- What was signalled, proposed and decided is never changed, whoever asks (SAP V2.0, sections 7 and 11).
CREATE TRIGGER "sap_signals_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."sap_signals"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "sap_signals_keep_all" BEFORE TRUNCATE ON "signalbox"."sap_signals"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "sap_proposals_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."sap_proposals"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "sap_proposals_keep_all" BEFORE TRUNCATE ON "signalbox"."sap_proposals"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "sap_decisions_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."sap_decisions"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "sap_decisions_keep_all" BEFORE TRUNCATE ON "signalbox"."sap_decisions"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint

-- Tenants with signals that their aggregates do not tell of yet, who waited longest first: their names, and nothing of what a
-- signal says. It walks from tenant to tenant along the key and looks at the newest signal of each.
CREATE FUNCTION "signalbox"."due_learners"("total" integer)
  RETURNS TABLE ("tenant_id" text)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH RECURSIVE tenants AS (
    (SELECT first.tenant_id FROM signalbox.sap_signals AS first ORDER BY first.tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT later.tenant_id FROM signalbox.sap_signals AS later
            WHERE later.tenant_id > tenants.tenant_id ORDER BY later.tenant_id LIMIT 1)
    FROM tenants WHERE tenants.tenant_id IS NOT NULL
  )
  SELECT tenants.tenant_id FROM tenants
  LEFT JOIN signalbox.sap_learners AS learner ON learner.tenant_id = tenants.tenant_id
  WHERE tenants.tenant_id IS NOT NULL AND (learner.tenant_id IS NULL OR EXISTS (
    SELECT 1 FROM signalbox.sap_signals AS later
    WHERE later.tenant_id = tenants.tenant_id
      AND (later.transaction, later.signal_id) > (learner.transaction, learner.signal_id)
  ))
  ORDER BY learner.learnt_at NULLS FIRST, tenants.tenant_id
  LIMIT total;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."due_learners"(integer) TO "signalbox_app";--> statement-breakpoint

-- As 0005 says of the other tables: what the planner begins with, until the first ANALYZE.
DO $$
DECLARE
  column_of record;
BEGIN
  FOR column_of IN
    SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'signalbox'::regnamespace AND a.attname IN ('tenant_id', 'task_id', 'signal_id')
      AND c.relname = 'sap_signals'
  LOOP
    PERFORM pg_restore_attribute_stats(
      'schemaname', 'signalbox', 'relname', column_of.relname::text, 'attname', column_of.attname::text, 'inherited', false,
      'null_frac', 0::real, 'avg_width', 24,
      'n_distinct', CASE column_of.attname WHEN 'tenant_id' THEN 1 ELSE -0.5 END::real);
  END LOOP;
END $$;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0019_sap_learning', 'compatible');
