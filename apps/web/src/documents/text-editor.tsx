import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Completions } from "./completions.ts";
import type { Mark, MountedEditor } from "./editor/mount-editor.ts";

type TextEditorProps = {
  label: string;
  text: string;
  onText: (text: string) => void;
  marks?: readonly Mark[];
  complete?: (text: string, offset: number) => Completions | undefined;
  readOnly?: boolean;
  /** A place to go to; another object each time somebody asks. */
  goTo?: { line: number; column: number } | undefined;
  /** What belongs to what is chosen elsewhere: it comes into sight, and the focus stays where it is. */
  showing?: { line: number; column: number } | undefined;
};

const none = () => undefined;

/** The editor comes in a chunk of its own: until it is there, the text can be read. */
export function TextEditor(props: TextEditorProps) {
  const { label, text, onText, marks, complete = none, readOnly = false, goTo, showing } = props;
  const host = useRef<HTMLDivElement>(null);
  const told = useRef<string[]>([]);
  const [editor, setEditor] = useState<MountedEditor>();
  const tell = useEffectEvent(onText);
  const ask = useEffectEvent(complete);
  const current = useEffectEvent(() => text);

  useEffect(() => {
    let mounted: MountedEditor | undefined;
    let gone = false;
    const mount = async () => {
      const { mountEditor } = await import("./editor/mount-editor.ts");
      if (gone || host.current === null) return;
      mounted = mountEditor(host.current, {
        text: current(),
        label,
        readOnly,
        onText: (changed) => {
          told.current.push(changed);
          tell(changed);
        },
        complete: (read, offset) => ask(read, offset),
      });
      setEditor(mounted);
    };
    void mount();
    return () => {
      gone = true;
      mounted?.destroy();
      setEditor(undefined);
    };
  }, [label, readOnly]);

  // Who types is ahead of the page: what the editor itself has told must not be set in it again, a letter behind.
  useEffect(() => {
    const at = told.current.lastIndexOf(text);
    if (at === -1) editor?.setText(text);
    told.current.splice(0, at + 1);
  }, [editor, text]);
  useEffect(() => {
    if (marks !== undefined) editor?.setMarks(marks);
  }, [editor, marks]);
  useEffect(() => {
    if (goTo !== undefined) editor?.goTo(goTo);
  }, [editor, goTo]);
  const { line, column } = showing ?? {};
  useEffect(() => {
    if (line !== undefined && column !== undefined) editor?.show({ line, column });
  }, [editor, line, column]);

  return (
    <div
      className="h-[65vh] min-h-80 overflow-hidden rounded-sm border border-rule bg-panel"
      data-ready={editor !== undefined}
    >
      {editor === undefined && (
        <pre className="anywhere p-4 font-mono text-xs leading-relaxed whitespace-pre-wrap">{text}</pre>
      )}
      <div ref={host} className="h-full" />
    </div>
  );
}
