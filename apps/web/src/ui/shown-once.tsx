import { useEffect, useRef } from "react";
import { Button } from "./button.tsx";
import { CodeBlock } from "./code-block.tsx";
import { Notice } from "./notice.tsx";

/** A secret that the server keeps only the hash of: it is here until the person says that they have it. */
export function ShownOnce(props: {
  title: string;
  advice: string;
  secret: string;
  what: string;
  onDone: () => void;
}) {
  const { title, advice, secret, what, onDone } = props;
  const section = useRef<HTMLElement>(null);
  // What made it is gone with the making, or stands far away: the focus goes to what came of it.
  useEffect(() => section.current?.focus(), []);
  return (
    <section ref={section} tabIndex={-1} aria-label={title}>
      <Notice aspect="caution" title={title}>
        <p>{advice}</p>
        <CodeBlock code={secret} what={what} />
        <Button onClick={onDone}>I have it</Button>
      </Notice>
    </section>
  );
}
