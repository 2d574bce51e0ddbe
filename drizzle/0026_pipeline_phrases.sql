-- What is between blanks is looked for as one: DEMO-0 was a "demo" and a "0" before, with which every pipeline's own id began.
CREATE OR REPLACE FUNCTION "signalbox"."pipeline_query"("wanted" text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT NULLIF(concat_ws(' | ',
    (SELECT '(' || string_agg('''' || replace(phrase, ' ', ''' & ''') || ''':*', ' & ') || ')'
      FROM (SELECT btrim(regexp_replace(typed, '[!-/:-@[-\u0060{-~]+', ' ', 'g')) AS phrase
        FROM unnest(string_to_array(lower(wanted), ' ')) AS typed) AS cut
      WHERE phrase <> ''),
    '''' || NULLIF(translate(lower(btrim(wanted)), '''\', ''), '') || '''' ||
      CASE WHEN length(btrim(wanted)) >= 8 THEN ':*' ELSE '' END), '')::tsquery;
END;--> statement-breakpoint
-- As signalbox.pipeline_query, for LIKE ALL: what is left between the marks has none of LIKE's own. NULL, which is like nothing,
-- where no word is left.
CREATE FUNCTION "signalbox"."pipeline_patterns"("wanted" text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT array_agg('% ' || phrase || '%')
  FROM (SELECT btrim(regexp_replace(typed, '[!-/:-@[-\u0060{-~]+', ' ', 'g')) AS phrase
    FROM unnest(string_to_array(lower(wanted), ' ')) AS typed) AS cut
  WHERE phrase <> '';
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."pipeline_patterns"(text) TO "signalbox_app";--> statement-breakpoint
-- As 0024 made it, but that the words of what is typed as one stand side by side, and that a pipeline's own id is met by all of
-- it, or by eight characters. The index knows neither: where what is typed could mislead it, the pipeline's own row is asked.
CREATE OR REPLACE FUNCTION "signalbox"."search_pipelines"(
  "words" text, "of_status" integer, "asked" text, "since" timestamptz, "before" timestamptz,
  "after_moment" timestamptz, "after_id" text, "most" integer
) RETURNS SETOF text
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  tenant text := NULLIF(current_setting('signalbox.tenant_id', true), '');
  wanted tsquery;
  patterns text[];
  own_id text := lower(btrim(words));
  misled boolean := own_id ~ '[!-/:-@[-\u0060{-~]' OR own_id ~ '(^| )[0-9a-f]+( |$)';
  recent integer := 4 * most;
  met text[];
BEGIN
  IF words IS NULL OR length(words) > 200 OR most IS NULL OR most NOT BETWEEN 1 AND 1001 THEN
    RAISE EXCEPTION 'words of at most 200 characters and a limit of 1 to 1001 are allowed'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  wanted := signalbox.pipeline_query(words);
  patterns := signalbox.pipeline_patterns(words);
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
        WHERE (' ' || regexp_replace(lower(left(coalesce(own.task_title, ''), 500) || chr(10) || ' ' || left(coalesce(own.source_task_id, ''), 500) || chr(10) || ' ' || left(own.name, 500) || chr(10) || ' ' || left(own.template_id, 500)), '[ !-/:-@[-\u0060{-~]+', ' ', 'g') LIKE ALL ($2) OR own.pipeline_id = $11 OR length($11) >= 8 AND starts_with(own.pipeline_id, $11))
        ORDER BY own.created_at DESC, own.pipeline_id DESC
        LIMIT $9
      ) AS found $newest$
    INTO met USING tenant, patterns, of_status, asked, since, before, after_moment, after_id, most, recent, own_id;
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
        AND own.words @@ $10
        AND (NOT $12 OR own.pipeline_id = $11 OR length($11) >= 8 OR ts_delete(own.words, left(own.pipeline_id, 500)) @@ $10)
        AND ($5 IS NULL OR own.created_at >= $5)
        AND ($6 IS NULL OR own.created_at < $6)
        AND ($7 IS NULL OR (own.created_at, own.pipeline_id) < ($7, $8))
      ORDER BY own.created_at DESC, own.pipeline_id DESC
    )
    SELECT said.pipeline_id FROM said
    WHERE (NOT $12 AND $3 IS NULL OR EXISTS (
        SELECT 1 FROM signalbox.pipelines AS own
        WHERE own.tenant_id = $1 AND own.pipeline_id = said.pipeline_id AND ($3 IS NULL OR own.status = $3)
          AND (NOT $12 OR (' ' || regexp_replace(lower(left(coalesce(own.task_title, ''), 500) || chr(10) || ' ' || left(coalesce(own.source_task_id, ''), 500) || chr(10) || ' ' || left(own.name, 500) || chr(10) || ' ' || left(own.template_id, 500)), '[ !-/:-@[-\u0060{-~]+', ' ', 'g') LIKE ALL ($2) OR own.pipeline_id = $11 OR length($11) >= 8 AND starts_with(own.pipeline_id, $11)))))
      AND ($4 IS NULL OR EXISTS (
        SELECT 1 FROM signalbox.escalations AS question
        WHERE question.tenant_id = $1 AND question.pipeline_id = said.pipeline_id AND ($4 = 'any' OR question.closed_at IS NULL)))
    ORDER BY said.created_at DESC, said.pipeline_id DESC
    LIMIT $9 $search$
  USING tenant, patterns, of_status, asked, since, before, after_moment, after_id, most, wanted, own_id, misled;
END $$;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0026_pipeline_phrases', 'compatible');
