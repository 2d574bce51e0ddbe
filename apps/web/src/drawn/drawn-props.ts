import { plainly } from "./plainly.ts";

/** What stands in them is read again: as a value, or as what somebody goes on writing. */
const values: ReadonlySet<unknown> = new Set(["option", "textarea", "style", "script"]);

type Props = { readonly children?: unknown; readonly title?: unknown; readonly "aria-label"?: unknown };

const drawn = (value: unknown): unknown => (typeof value === "string" ? plainly(value) : value);

/**
 * Every element of the pages is made with these, so that no page can forget it: names, titles and messages are of people and
 * programs that nobody here knows, and each stands in more places than anybody remembers.
 */
export function drawnProps(type: unknown, props: Props): Props {
  if (values.has(type)) return props;
  const { children } = props;
  const next: Record<string, unknown> = {};
  const shown = Array.isArray(children) ? drawnOfMany(children) : drawn(children);
  if (shown !== children) next["children"] = shown;
  if (typeof type === "string")
    for (const name of ["title", "aria-label"] as const)
      if (drawn(props[name]) !== props[name]) next[name] = drawn(props[name]);
  return Object.keys(next).length === 0 ? props : { ...props, ...next };
}

function drawnOfMany(children: readonly unknown[]): readonly unknown[] {
  const shown = children.map(drawn);
  return shown.some((child, place) => child !== children[place]) ? shown : children;
}
