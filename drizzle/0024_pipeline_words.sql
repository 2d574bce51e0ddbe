-- First, for its lock is the strongest: taken later, it would wait for whoever waits for this transaction.
DROP INDEX "signalbox"."pipelines_by_words";--> statement-breakpoint
CREATE TABLE "signalbox"."pipeline_words" (
	"tenant_id" text NOT NULL,
	"pipeline_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "signalbox"."pipeline_words" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
-- A statement's at once, and by a trigger: a node of an earlier version begins pipelines too, and they are to be found.
CREATE FUNCTION "signalbox"."keep_pipeline_words"() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO signalbox.pipeline_words (tenant_id, pipeline_id, created_at, words)
  SELECT own.tenant_id, own.pipeline_id, own.created_at, array_to_tsvector(array_append(array_remove(string_to_array(regexp_replace(lower(left(coalesce(own.task_title, ''), 500) || ' ' || left(coalesce(own.source_task_id, ''), 500) || ' ' || left(own.name, 500) || ' ' || left(own.template_id, 500)), '[!-/:-@[-\u0060{-~]', ' ', 'g'), ' '), ''), left(own.pipeline_id, 500)))
  FROM begun AS own;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "pipelines_keep_words" AFTER INSERT ON "signalbox"."pipelines"
  REFERENCING NEW TABLE AS begun FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."keep_pipeline_words"();--> statement-breakpoint
-- Before row security is forced: the owner, who may read every tenant's pipelines, may write no tenant's rows.
INSERT INTO "signalbox"."pipeline_words" ("tenant_id", "pipeline_id", "created_at", "words")
SELECT own.tenant_id, own.pipeline_id, own.created_at, array_to_tsvector(array_append(array_remove(string_to_array(regexp_replace(lower(left(coalesce(own.task_title, ''), 500) || ' ' || left(coalesce(own.source_task_id, ''), 500) || ' ' || left(own.name, 500) || ' ' || left(own.template_id, 500)), '[!-/:-@[-\u0060{-~]', ' ', 'g'), ' '), ''), left(own.pipeline_id, 500)))
FROM "signalbox"."pipelines" AS own ORDER BY own.tenant_id, own.created_at, own.pipeline_id;--> statement-breakpoint
CREATE INDEX "pipeline_words_by_words" ON "signalbox"."pipeline_words" USING gin ("tenant_id","words");--> statement-breakpoint
CREATE POLICY "tenant_isolation" ON "signalbox"."pipeline_words" AS PERMISSIVE FOR ALL TO "signalbox_app" USING ("signalbox"."pipeline_words"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[])) WITH CHECK ("signalbox"."pipeline_words"."tenant_id" = ANY ((SELECT string_to_array(NULLIF(current_setting('signalbox.tenant_id', true), ''), ','))::text[]));--> statement-breakpoint
CREATE POLICY "look_up_by_owner" ON "signalbox"."pipeline_words" AS PERMISSIVE FOR SELECT TO "signalbox_owner" USING (true);--> statement-breakpoint
ALTER TABLE "signalbox"."pipeline_words" FORCE ROW LEVEL SECURITY;--> statement-breakpoint
GRANT INSERT ("tenant_id", "pipeline_id", "created_at", "words") ON "signalbox"."pipeline_words" TO "signalbox_app";--> statement-breakpoint
CREATE TRIGGER "pipeline_words_keep_rows" BEFORE UPDATE OR DELETE ON "signalbox"."pipeline_words"
  FOR EACH ROW EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
CREATE TRIGGER "pipeline_words_keep_all" BEFORE TRUNCATE ON "signalbox"."pipeline_words"
  FOR EACH STATEMENT EXECUTE FUNCTION "signalbox"."refuse_change"();--> statement-breakpoint
-- As 0023 made it, but that what the index finds is gathered from the words, and a pipeline's own row is asked for its status alone.
CREATE OR REPLACE FUNCTION "signalbox"."search_pipelines"(
  "words" text, "of_status" integer, "asked" text, "since" timestamptz, "before" timestamptz,
  "after_moment" timestamptz, "after_id" text, "most" integer
) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  tenant text := NULLIF(current_setting('signalbox.tenant_id', true), '');
  wanted tsquery;
  recent integer := 4 * most;
  met text[];
BEGIN
  IF words IS NULL OR length(words) > 200 OR most IS NULL OR most NOT BETWEEN 1 AND 1001 THEN
    RAISE EXCEPTION 'words of at most 200 characters and a limit of 1 to 1001 are allowed'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  wanted := signalbox.pipeline_query(words);
  FOR attempt IN 1..2 LOOP
    EXECUTE $newest$
      SELECT array_agg(found.pipeline_id) FROM (
        SELECT own.pipeline_id FROM (
          SELECT own.* FROM signalbox.pipelines AS own
          WHERE own.tenant_id = $1
      AND ($3 IS NULL OR own.status = $3)
      AND ($4 IS NULL OR EXISTS (
        SELECT 1 FROM signalbox.escalations AS question
        WHERE question.tenant_id = $1 AND question.pipeline_id = own.pipeline_id AND ($4 = 'any' OR question.closed_at IS NULL)))
      AND ($5 IS NULL OR own.created_at >= $5)
      AND ($6 IS NULL OR own.created_at < $6)
      AND ($7 IS NULL OR (own.created_at, own.pipeline_id) < ($7, $8))
          ORDER BY own.created_at DESC, own.pipeline_id DESC
          LIMIT $10
        ) AS own
        WHERE array_to_tsvector(array_append(array_remove(string_to_array(regexp_replace(lower(left(coalesce(own.task_title, ''), 500) || ' ' || left(coalesce(own.source_task_id, ''), 500) || ' ' || left(own.name, 500) || ' ' || left(own.template_id, 500)), '[!-/:-@[-\u0060{-~]', ' ', 'g'), ' '), ''), left(own.pipeline_id, 500))) @@ $2
        ORDER BY own.created_at DESC, own.pipeline_id DESC
        LIMIT $9
      ) AS found $newest$
    INTO met USING tenant, wanted, of_status, asked, since, before, after_moment, after_id, most, recent;
    IF cardinality(met) >= most THEN
      RETURN QUERY SELECT unnest(met);
      RETURN;
    END IF;
    EXIT WHEN COALESCE(cardinality(met), 0) * 8 < most;
    recent := recent * 8;
  END LOOP;
  RETURN QUERY EXECUTE $search$
    WITH said AS MATERIALIZED (
      SELECT own.created_at, own.pipeline_id FROM signalbox.pipeline_words AS own
      WHERE own.tenant_id = $1
        AND own.words @@ $2
        AND ($5 IS NULL OR own.created_at >= $5)
        AND ($6 IS NULL OR own.created_at < $6)
        AND ($7 IS NULL OR (own.created_at, own.pipeline_id) < ($7, $8))
      ORDER BY own.created_at DESC, own.pipeline_id DESC
    )
    SELECT said.pipeline_id FROM said
    WHERE ($3 IS NULL OR EXISTS (
        SELECT 1 FROM signalbox.pipelines AS own
        WHERE own.tenant_id = $1 AND own.pipeline_id = said.pipeline_id AND own.status = $3))
      AND ($4 IS NULL OR EXISTS (
        SELECT 1 FROM signalbox.escalations AS question
        WHERE question.tenant_id = $1 AND question.pipeline_id = said.pipeline_id AND ($4 = 'any' OR question.closed_at IS NULL)))
    ORDER BY said.created_at DESC, said.pipeline_id DESC
    LIMIT $9 $search$
  USING tenant, wanted, of_status, asked, since, before, after_moment, after_id, most;
END $$;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0024_pipeline_words', 'compatible');
