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
  return (
    <Notice aspect="caution" title={title}>
      <p>{advice}</p>
      <CodeBlock code={secret} what={what} />
      <Button onClick={onDone}>I have it</Button>
    </Notice>
  );
}
