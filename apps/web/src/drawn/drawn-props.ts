import { plainly } from "./plainly.ts";

/** What stands in them is read again: as what somebody goes on writing, or as what is chosen where no value says it. */
const values: ReadonlySet<unknown> = new Set(["option", "textarea", "style", "script"]);

type Props = Readonly<Record<string, unknown>>;

const drawn = (value: unknown): unknown => (typeof value === "string" ? plainly(value) : value);

/**
 * Every element of the pages is made with these, so that no page can forget it: names, titles and messages are of people and
 * programs that nobody here knows, and each stands in more places than anybody remembers.
 */
export function drawnProps(type: unknown, props: Props): Props {
  if (values.has(type) && props["value"] === undefined) return props;
  let next = props;
  const set = (name: string, shown: unknown): void => {
    if (shown !== props[name]) next = { ...next, [name]: shown };
  };
  const { children } = props;
  set("children", Array.isArray(children) ? drawnOfMany(children) : drawn(children));
  if (typeof type === "string") for (const name of ["title", "aria-label"]) set(name, drawn(props[name]));
  return next;
}

function drawnOfMany(children: readonly unknown[]): readonly unknown[] {
  const shown = children.map(drawn);
  return shown.some((child, place) => child !== children[place]) ? shown : children;
}
