-- Every line in which stages wait, whosever it is, with how many stand in it (no more are counted than `most`): names and
-- numbers, and nothing of what waits. It walks from line to line along the index, so that what it costs grows with the
-- lines and with what is counted.
CREATE FUNCTION "signalbox"."waiting_lines"("most" integer)
  RETURNS TABLE ("tenant_id" text, "task_type" text, "waiting" bigint)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH RECURSIVE lines AS (
    (SELECT first.tenant_id, first.task_type FROM signalbox.stages AS first WHERE first.waiting_since IS NOT NULL
     ORDER BY first.tenant_id, first.task_type LIMIT 1)
    UNION ALL
    SELECT next.tenant_id, next.task_type FROM lines CROSS JOIN LATERAL (
      SELECT later.tenant_id, later.task_type FROM signalbox.stages AS later
      WHERE later.waiting_since IS NOT NULL AND (later.tenant_id, later.task_type) > (lines.tenant_id, lines.task_type)
      ORDER BY later.tenant_id, later.task_type LIMIT 1
    ) AS next
  )
  SELECT lines.tenant_id, lines.task_type, (
    SELECT count(*) FROM (
      SELECT 1 FROM signalbox.stages AS own
      WHERE own.tenant_id = lines.tenant_id AND own.task_type = lines.task_type AND own.waiting_since IS NOT NULL
      LIMIT most
    ) AS counted
  )
  FROM lines;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."waiting_lines"(integer) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0008_waiting_lines', 'compatible');
