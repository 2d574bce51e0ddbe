import { type SQL, sql } from "drizzle-orm";

/** The events of runs, each with its place in its run, from 1. */
export const eventsOf = (run: SQL): SQL =>
  sql`json_array_elements(('[' || ${run}.events || ']')::json) with ordinality as own (event, place)`;

/** Runs that hold an event of one of these types. */
export const holdsType = (types: readonly string[]): SQL =>
  sql`types && string_to_array(${types.join(",")}, ',')`;

/** An event's type is one of these. */
export const isOfType = (types: readonly string[]): SQL =>
  sql`own.event -> 'payload' ->> 'type' = any(string_to_array(${types.join(",")}, ','))`;
