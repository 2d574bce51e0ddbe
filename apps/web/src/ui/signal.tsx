import type { ReactNode } from "react";

/** What a signal shows. `unlit` is not a judgement: there is no reading. */
export type Aspect = "clear" | "caution" | "danger" | "unlit";

export const aspectWords: Record<Aspect, string> = {
  clear: "Clear",
  caution: "Caution",
  danger: "Danger",
  unlit: "No reading",
};

/**
 * A position-light signal, as railways built them for drivers who cannot tell red from green: the row of lit
 * lamps stands upright for clear, slants for caution, and lies flat for danger. Colour only repeats it. Lamps are round
 * ends of lines that go nowhere: all of a row are one element, of which a page of 200 stages has 400.
 */
const rows: Record<Exclude<Aspect, "unlit">, string> = {
  clear: "M16 7h.01M16 16h.01M16 25h.01",
  caution: "M22.4 9.6h.01M16 16h.01M9.6 22.4h.01",
  danger: "M7 16h.01M16 16h.01M25 16h.01",
};
const head = `${Object.values(rows).join("")}M9.6 9.6h.01M22.4 22.4h.01`;

const fills: Record<Aspect, string> = {
  clear: "var(--lamp-clear)",
  caution: "var(--lamp-caution)",
  danger: "var(--lamp-danger)",
  unlit: "var(--lamp-unlit)",
};

const sizes = { small: "size-5", medium: "size-8", large: "size-14" };

export function Lamp({ aspect, size = "medium" }: { aspect: Aspect; size?: keyof typeof sizes }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 32 32"
      strokeLinecap="round"
      className={`${sizes[size]} shrink-0 fill-none`}
    >
      <circle cx="16" cy="16" r="15.25" fill="var(--lamp-head)" stroke="var(--lamp-rim)" strokeWidth="1.5" />
      <path d={head} stroke="var(--lamp-unlit)" strokeWidth="4.6" />
      {aspect !== "unlit" && (
        <path d={rows[aspect]} stroke={fills[aspect]} strokeWidth="6.4" className="transition-[stroke]" />
      )}
    </svg>
  );
}

/** The lamp with its word: never the one without the other. */
export function Signal({
  aspect,
  word,
  size,
}: {
  aspect: Aspect;
  word?: ReactNode;
  size?: keyof typeof sizes;
}) {
  return (
    <span className="inline-flex items-center gap-2.5">
      <Lamp aspect={aspect} {...(size !== undefined && { size })} />
      <span className="text-sm font-medium">{word ?? aspectWords[aspect]}</span>
    </span>
  );
}
