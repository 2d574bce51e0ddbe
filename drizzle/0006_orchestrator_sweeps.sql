-- What is due, whosever it is: names of rows and nothing of what they hold, which only the tenant's own transaction reads.
-- Each walks from tenant to tenant along its index, takes the oldest few of each, and gives every tenant's first before
-- any tenant's second, so that the cost grows with the tenants that have work and not with what one of them has waiting.
CREATE FUNCTION "signalbox"."due_stages"("each" integer, "total" integer)
  RETURNS TABLE ("tenant_id" text, "pipeline_id" text, "stage_order" integer, "task_type" text)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH RECURSIVE tenants AS (
    (SELECT first.tenant_id FROM signalbox.stages AS first WHERE first.claimable_at IS NOT NULL ORDER BY first.tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT later.tenant_id FROM signalbox.stages AS later
            WHERE later.claimable_at IS NOT NULL AND later.tenant_id > tenants.tenant_id ORDER BY later.tenant_id LIMIT 1)
    FROM tenants WHERE tenants.tenant_id IS NOT NULL
  )
  SELECT tenants.tenant_id, due.pipeline_id, due.stage_order, due.task_type
  FROM tenants CROSS JOIN LATERAL (
    SELECT own.pipeline_id, own.stage_order, own.task_type, own.claimable_at, row_number() OVER (ORDER BY own.claimable_at) AS place
    FROM signalbox.stages AS own
    WHERE own.tenant_id = tenants.tenant_id AND own.claimable_at IS NOT NULL AND own.claimable_at <= now()
    ORDER BY own.claimable_at LIMIT each
  ) AS due
  WHERE tenants.tenant_id IS NOT NULL
  ORDER BY due.place, due.claimable_at LIMIT total;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."due_stages"(integer, integer) TO "signalbox_app";--> statement-breakpoint

CREATE FUNCTION "signalbox"."due_open_dispatches"("each" integer, "total" integer)
  RETURNS TABLE ("tenant_id" text, "pipeline_id" text, "stage_order" integer, "attempt_number" integer)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH RECURSIVE tenants AS (
    (SELECT first.tenant_id FROM signalbox.open_dispatches AS first WHERE first.due_at IS NOT NULL ORDER BY first.tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT later.tenant_id FROM signalbox.open_dispatches AS later
            WHERE later.due_at IS NOT NULL AND later.tenant_id > tenants.tenant_id ORDER BY later.tenant_id LIMIT 1)
    FROM tenants WHERE tenants.tenant_id IS NOT NULL
  )
  SELECT tenants.tenant_id, due.pipeline_id, due.stage_order, due.attempt_number
  FROM tenants CROSS JOIN LATERAL (
    SELECT own.pipeline_id, own.stage_order, own.attempt_number, own.due_at, row_number() OVER (ORDER BY own.due_at) AS place
    FROM signalbox.open_dispatches AS own
    WHERE own.tenant_id = tenants.tenant_id AND own.due_at IS NOT NULL AND own.due_at <= now()
    ORDER BY own.due_at LIMIT each
  ) AS due
  WHERE tenants.tenant_id IS NOT NULL
  ORDER BY due.place, due.due_at LIMIT total;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."due_open_dispatches"(integer, integer) TO "signalbox_app";--> statement-breakpoint

CREATE FUNCTION "signalbox"."due_pipelines"("each" integer, "total" integer)
  RETURNS TABLE ("tenant_id" text, "pipeline_id" text)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  WITH RECURSIVE tenants AS (
    (SELECT first.tenant_id FROM signalbox.pipelines AS first WHERE first.due_at IS NOT NULL ORDER BY first.tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT later.tenant_id FROM signalbox.pipelines AS later
            WHERE later.due_at IS NOT NULL AND later.tenant_id > tenants.tenant_id ORDER BY later.tenant_id LIMIT 1)
    FROM tenants WHERE tenants.tenant_id IS NOT NULL
  )
  SELECT tenants.tenant_id, due.pipeline_id
  FROM tenants CROSS JOIN LATERAL (
    SELECT own.pipeline_id, own.due_at, row_number() OVER (ORDER BY own.due_at) AS place
    FROM signalbox.pipelines AS own
    WHERE own.tenant_id = tenants.tenant_id AND own.due_at IS NOT NULL AND own.due_at <= now()
    ORDER BY own.due_at LIMIT each
  ) AS due
  WHERE tenants.tenant_id IS NOT NULL
  ORDER BY due.place, due.due_at LIMIT total;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."due_pipelines"(integer, integer) TO "signalbox_app";--> statement-breakpoint

-- Those that have waited longest for a task type that can be served again.
CREATE FUNCTION "signalbox"."woken_stages"("pairs" json, "each" integer)
  RETURNS TABLE ("tenant_id" text, "pipeline_id" text, "stage_order" integer, "task_type" text)
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT wanted."tenantId", waiting.pipeline_id, waiting.stage_order, wanted."taskType"
  FROM json_to_recordset(pairs) AS wanted ("tenantId" text, "taskType" text)
  CROSS JOIN LATERAL (
    SELECT own.pipeline_id, own.stage_order, own.waiting_since, row_number() OVER (ORDER BY own.waiting_since) AS place
    FROM signalbox.stages AS own
    WHERE own.tenant_id = wanted."tenantId" AND own.task_type = wanted."taskType" AND own.waiting_since IS NOT NULL
    ORDER BY own.waiting_since LIMIT each
  ) AS waiting
  ORDER BY waiting.place, waiting.waiting_since;
END;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."woken_stages"(json, integer) TO "signalbox_app";--> statement-breakpoint

-- Nodes are no tenant's. The app may write no row of them by itself: a lease that it could set would be no lease.
CREATE FUNCTION "signalbox"."join_node"("node" text, "lease_ms" integer) RETURNS integer
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  INSERT INTO signalbox.nodes AS known (node_id, epoch, lease_expires_at)
  VALUES (node, 1, clock_timestamp() + make_interval(secs => lease_ms / 1000.0))
  ON CONFLICT (node_id) DO UPDATE
    SET epoch = known.epoch + 1, started_at = now(), lease_expires_at = excluded.lease_expires_at
  RETURNING epoch;
END;--> statement-breakpoint
CREATE FUNCTION "signalbox"."renew_node"("node" text, "own_epoch" integer, "lease_ms" integer) RETURNS boolean
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  -- A lease that ended stays ended: others may have taken over since.
  WITH renewed AS (
    UPDATE signalbox.nodes SET lease_expires_at = clock_timestamp() + make_interval(secs => lease_ms / 1000.0)
    WHERE node_id = node AND epoch = own_epoch AND lease_expires_at > clock_timestamp()
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM renewed);
END;--> statement-breakpoint
CREATE FUNCTION "signalbox"."leave_node"("node" text, "own_epoch" integer) RETURNS boolean
  LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  -- The row stays, and with it the epoch: one that comes back under the name must not be taken for this one.
  WITH left_now AS (
    UPDATE signalbox.nodes SET lease_expires_at = clock_timestamp()
    WHERE node_id = node AND epoch = own_epoch AND lease_expires_at > clock_timestamp()
    RETURNING 1
  )
  SELECT EXISTS (SELECT 1 FROM left_now);
END;--> statement-breakpoint

-- The last statement of a node's every transaction. Six seconds must be left of the lease: a transaction that idles longer
-- than five is ended by the server, so that a node that froze after this line cannot commit past its lease.
CREATE FUNCTION "signalbox"."assert_node"("node" text, "own_epoch" integer) RETURNS void
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM signalbox.nodes
    WHERE node_id = node AND epoch = own_epoch AND lease_expires_at > clock_timestamp() + interval '6 seconds'
  ) THEN
    RAISE EXCEPTION 'node %, epoch %, has no lease that lasts another 6 seconds', node, own_epoch USING ERRCODE = 'SB001';
  END IF;
END $$;--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."join_node"(text, integer) TO "signalbox_app";--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."renew_node"(text, integer, integer) TO "signalbox_app";--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."leave_node"(text, integer) TO "signalbox_app";--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "signalbox"."assert_node"(text, integer) TO "signalbox_app";--> statement-breakpoint
GRANT SELECT ON "signalbox"."nodes" TO "signalbox_app";--> statement-breakpoint
INSERT INTO "signalbox"."schema_history" ("tag", "mark") VALUES ('0006_orchestrator_sweeps', 'compatible');
