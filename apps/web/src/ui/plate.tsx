import type { ReactNode } from "react";

/** An engraved label, as it is screwed beside each block and lever: identifiers that people read to each other. */
export function Plate({ children }: { children: ReactNode }) {
  return (
    <span className="clamped-2 rounded-[3px] border-y-2 border-plate bg-plate px-1.5 font-mono text-xs font-medium text-plate-ink">
      {children}
    </span>
  );
}

/** Names in a list are many, so they are outlined: a page full of plates would have nothing that stands out. */
export function NameList({ items, none }: { items: readonly string[]; none: string }) {
  if (items.length === 0) return <span className="text-ink-soft">{none}</span>;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {items.map((item) => (
        <li
          key={item}
          className="anywhere rounded-[3px] border border-track/45 px-1.5 py-px font-mono text-xs"
        >
          {item}
        </li>
      ))}
    </ul>
  );
}
