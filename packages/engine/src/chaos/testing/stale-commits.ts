import { readRows } from "@signalbox/db/testing";

/**
 * From now on the database itself notes each commit of a batch whose node had no lease at the moment of the commit: by a
 * deferred trigger, which runs when the transaction commits. Which node's transaction it is, assert_node tells it.
 */
export async function noteStaleCommits(url: string): Promise<void> {
  for (const statement of [
    "create schema chaos",
    "grant usage on schema chaos to public",
    "create table chaos.stale_commits (node text, at timestamptz not null default clock_timestamp())",
    "alter function signalbox.assert_node(text, integer) rename to assert_node_itself",
    `create function signalbox.assert_node(node text, own_epoch integer) returns void language plpgsql as $$ begin
       perform signalbox.assert_node_itself(node, own_epoch);
       perform set_config('chaos.node', node || '/' || own_epoch, true);
     end $$`,
    "grant execute on function signalbox.assert_node(text, integer) to public",
    `create function chaos.note_commit() returns trigger language plpgsql security definer as $$ begin
       if not exists (select 1 from signalbox.nodes where node_id || '/' || epoch = current_setting('chaos.node', true)
                      and lease_expires_at > clock_timestamp())
       then insert into chaos.stale_commits values (coalesce(current_setting('chaos.node', true), 'none')); end if;
       return null; end $$`,
    `create constraint trigger chaos_notes_commits after insert on signalbox.events deferrable initially deferred
       for each row when (new.kind = 'pipeline.changed') execute function chaos.note_commit()`,
  ]) {
    await readRows(url, statement);
  }
}

export const staleCommits = (url: string): Promise<Record<string, unknown>[]> =>
  readRows(url, "select distinct node from chaos.stale_commits");
