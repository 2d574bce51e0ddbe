import { CopyButton } from "./copy-button.tsx";

/** Long lines are wrapped: a box that scrolls by itself would need a tab stop, and hides what it cuts off. */
export function CodeBlock({ code, what }: { code: string; what: string }) {
  return (
    <figure className="min-w-0 rounded-sm border border-rule bg-recess">
      <figcaption className="flex items-center justify-between gap-4 border-b border-rule py-2 pr-2 pl-4 text-sm text-ink-soft">
        <span className="first-letter:uppercase">{what}</span>
        <CopyButton text={code} what={what} />
      </figcaption>
      <pre className="anywhere p-4 font-mono text-xs leading-relaxed whitespace-pre-wrap">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
