-- Every start of a process is a row under a name of its own, so rows of nodes that went away are removed. The epoch comes from
-- one sequence for all names: counted in the row, it would begin anew with the row, and a process that froze before would be
-- taken for the one that came back under its name.
CREATE SEQUENCE "signalbox"."node_epochs" AS integer;--> statement-breakpoint
SELECT setval('signalbox.node_epochs', coalesce(max("epoch"), 0) + 1, false) FROM "signalbox"."nodes";--> statement-breakpoint
CREATE OR REPLACE FUNCTION "signalbox"."join_node"("node" text, "lease_ms" integer) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  given integer;
BEGIN
  INSERT INTO signalbox.nodes AS known (node_id, epoch, lease_expires_at)
  VALUES (
    node, nextval('signalbox.node_epochs'), clock_timestamp() + make_interval(secs => lease_ms / 1000.0)
  )
  ON CONFLICT (node_id) DO UPDATE
    SET epoch = excluded.epoch, started_at = now(), lease_expires_at = excluded.lease_expires_at
  RETURNING known.epoch INTO given;
  -- One that joins at this moment holds its row, and is passed over.
  DELETE FROM signalbox.nodes AS gone WHERE gone.node_id IN (
    SELECT ended.node_id FROM signalbox.nodes AS ended
    WHERE ended.lease_expires_at < clock_timestamp() - interval '1 day'
    FOR UPDATE SKIP LOCKED
  );
  RETURN given;
END $$;--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0009_forgotten_nodes', 'compatible');
