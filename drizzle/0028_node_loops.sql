ALTER TABLE "signalbox"."nodes" ADD COLUMN "loops" boolean DEFAULT true NOT NULL;--> statement-breakpoint
-- The one without the third argument stays for processes of an earlier version, which say nothing of it.
CREATE FUNCTION "signalbox"."join_node"("node" text, "lease_ms" integer, "has_loops" boolean) RETURNS integer
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  given integer;
BEGIN
  given := signalbox.join_node(node, lease_ms);
  UPDATE signalbox.nodes AS known SET loops = has_loops WHERE known.node_id = node AND known.epoch = given;
  RETURN given;
END $$;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."join_node"(text, integer, boolean) TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0028_node_loops', 'compatible');
