import type { ReactNode } from "react";

/** Drawn like the panel's own lines: one stroke, square ends, no fill. Always beside a word or inside a labelled control. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className="size-4 shrink-0"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
    >
      {children}
    </svg>
  );
}

export const SunIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="3" />
    <path d="M8 .8v2M8 13.2v2M.8 8h2M13.2 8h2M2.9 2.9l1.4 1.4M11.7 11.7l1.4 1.4M2.9 13.1l1.4-1.4M11.7 4.3l1.4-1.4" />
  </Icon>
);

export const MoonIcon = () => (
  <Icon>
    <path d="M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3Z" />
  </Icon>
);

export const SystemIcon = () => (
  <Icon>
    <rect x="1.5" y="2.5" width="13" height="9" />
    <path d="M5 14.2h6M8 11.5v2.7" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="8.5" height="8.5" />
    <path d="M10.5 5.5V2H2v8.5h3.5" />
  </Icon>
);
