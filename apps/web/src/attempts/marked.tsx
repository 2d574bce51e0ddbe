import { Fragment, useState } from "react";
import { Button } from "../ui/button.tsx";
import { partsOf } from "./marked-text.ts";

/** Text of an agent's. What was masked in it stands as a mark with the name of its rule, and never as what it was. */
export function Marked({ text }: { text: string }) {
  return partsOf(text).map((part) =>
    "rule" in part ? (
      <mark key={part.at} className="masked">
        masked: {part.rule}
      </mark>
    ) : (
      <Fragment key={part.at}>{part.text}</Fragment>
    ),
  );
}

const LONGEST = 4_000;

/** Never cut for good (D16): what is long is opened by whoever wants to read on. */
export function LongText({ text, what, most = LONGEST }: { text: string; what: string; most?: number }) {
  const [open, setOpen] = useState(false);
  const isLong = text.length > most;
  const shown = isLong && !open ? text.slice(0, most).toWellFormed() : text;
  return (
    <>
      <p className="anywhere whitespace-pre-wrap">
        <Marked text={shown} />
        {isLong && !open && "…"}
      </p>
      {isLong && (
        <div className="mt-2">
          <Button onClick={() => setOpen(!open)}>
            {open ? "Show less" : `Show all ${text.length.toLocaleString()} characters`}
            <span className="sr-only"> of {what}</span>
          </Button>
        </div>
      )}
    </>
  );
}
