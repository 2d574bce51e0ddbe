import { useCallback, useMemo, useState } from "react";
import type { KnownNames } from "../../documents/known-names.ts";
import { TextEditor } from "../../documents/text-editor.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { connect } from "../edit-lines.ts";
import { addStage, moveStage, removeStage } from "../edit-stages.ts";
import { placeOfFault } from "../fault-places.ts";
import { placeOfStage, placeOfTemplate } from "../stage-place.ts";
import { type GraphEdits, TemplateGraphView } from "../graph/template-graph-view.tsx";
import { freeId } from "../free-id.ts";
import { templateCompletions } from "../template-completions.ts";
import type { Template } from "../template-graph.ts";
import { FaultList } from "./fault-list.tsx";
import { GraphKeys } from "./graph-keys.tsx";
import { StageForm } from "./stage-form.tsx";
import { TemplateForm } from "./template-form.tsx";
import { type Fault, faultsByStage, type TemplateCheck } from "./use-check.ts";
import type { TextActs, useTemplateText } from "./use-template-text.ts";

type EditorProps = {
  templateId: string;
  state: ReturnType<typeof useTemplateText>;
  check: TemplateCheck;
  names: KnownNames;
};

/** Graph, forms and YAML of one text: what is done in one is there in the others. */
export function TemplateEditor({ templateId, state, check, names }: EditorProps) {
  const { text, templates, unreadable, acts } = state;
  const [chosen, setChosen] = useState<string>();
  const [focus, setFocus] = useState<{ stage: string }>();
  const [reveal, setReveal] = useState<{ line: number; column: number }>();
  const template = templates.templates.find(({ id }) => id === templateId);
  const stage = template?.stages.find(({ id }) => id === chosen);
  const chooseEnd = useCallback(({ to }: { to: string }) => setChosen(to), []);
  const edits = useMemo(() => {
    const go = (id: string) => {
      setChosen(id);
      setFocus({ stage: id });
    };
    return template && editsOf(template, acts, go);
  }, [template, acts]);
  const faults = useMemo(
    () => faultsByStage(check.faults, template?.index ?? 0),
    [check.faults, template?.index],
  );

  function showFault(fault: Fault): void {
    const place = placeOfFault(fault.path);
    const found = place.template === template?.index && place.stage !== undefined;
    if (found) setChosen(template?.stages[place.stage ?? 0]?.id);
    setReveal({ line: fault.line, column: fault.column });
  }

  const { read } = state;
  const showing = useMemo(
    () =>
      read === undefined || template === undefined
        ? undefined
        : stage === undefined
          ? placeOfTemplate(read, template.index)
          : placeOfStage(read, template.index, stage.index),
    [read, template, stage],
  );

  const marks = useMemo(
    () => check.faults.map((fault) => ({ ...fault, severity: "error" as const })),
    [check.faults],
  );
  const yaml = (
    <>
      <FaultList faults={check.faults} templates={templates} onFault={showFault} />
      <TextEditor
        label="YAML"
        text={text}
        onText={acts.type}
        marks={marks}
        goTo={reveal}
        showing={showing}
        complete={(written, offset) => templateCompletions(written, offset, names)}
      />
      <p className="text-sm text-ink-soft">
        Ctrl-Space offers names, Ctrl-F searches, Ctrl-S saves; Tab goes on to the next control.
      </p>
    </>
  );
  return (
    <div className="grid gap-8">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          unavailable={template === undefined ? "The template cannot be read." : undefined}
          onClick={() => {
            const last = chosen ?? template?.stages.at(-1)?.id;
            if (last !== undefined) edits?.extend(last, "out");
          }}
        >
          Add a stage
        </Button>
        <Button
          unavailable={state.canUndo ? undefined : heardOnly("There is nothing to undo.")}
          onClick={acts.undo}
        >
          Undo
        </Button>
        <Button
          unavailable={state.canRedo ? undefined : heardOnly("There is nothing to do again.")}
          onClick={acts.redo}
        >
          Redo
        </Button>
        <output className="anywhere basis-full text-sm text-ink-soft sm:basis-auto">{state.said}</output>
      </div>
      {unreadable !== undefined && (
        <Notice aspect="caution" title={`Line ${unreadable.line} cannot be read, so the graph waits`}>
          <p>{unreadable.message}</p>
        </Notice>
      )}
      {template === undefined && unreadable === undefined && (
        <Notice aspect="caution" title={`The document has no template “${templateId}” any more`}>
          <p>Undo brings it back. Published so, no task can ask for it any more.</p>
        </Notice>
      )}
      {template === undefined ? (
        yaml
      ) : (
        <div className="grid gap-8 xl:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="grid min-w-0 content-start gap-4">
            <TemplateGraphView
              template={template}
              selected={chosen}
              onSelect={setChosen}
              faults={faults}
              edits={unreadable === undefined ? edits : undefined}
              onLine={chooseEnd}
              focus={focus}
              onSay={acts.say}
            />
            <GraphKeys />
            {yaml}
          </div>
          {stage === undefined ? (
            <TemplateForm template={template} apply={acts.apply} />
          ) : (
            <div className="min-w-0">
              <StageForm
                key={stage.index}
                template={template}
                stage={stage}
                apply={acts.apply}
                taskTypes={names.taskTypes}
                onRenamed={setChosen}
                onRemove={edits?.remove}
              />
              <p className="mt-6">
                <Button onClick={() => setChosen(undefined)}>Show what holds for the whole</Button>
              </p>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

/** The dashes say it to the eye; in words it would come and go beside them with each edit. */
const heardOnly = (reason: string) => <span className="sr-only">{reason}</span>;

function editsOf(
  template: Template,
  { apply, undo, redo }: TextActs,
  go: (stage: string) => void,
): GraphEdits {
  const { id, stages } = template;
  return {
    undo,
    redo,
    connect: (from, to) => apply((text) => connect(text, id, from, to), `${to} follows ${from}.`),
    move: (stage, place) => {
      if (apply((text) => moveStage(text, id, stage, place), `Moved ${stage}.`) === undefined) go(stage);
    },
    extend: (stage, side) => {
      const made = freeId(
        "stage",
        stages.map((known) => known.id),
      );
      const taskType = stages.find((known) => known.id === stage)?.taskType ?? "";
      const add = (text: string) => {
        if (side === "out") return addStage(text, id, { id: made, taskType, after: stage });
        const added = addStage(text, id, { id: made, taskType });
        return added.kind === "edited" ? connect(added.text, id, made, stage) : added;
      };
      if (
        apply(add, side === "out" ? `${made} follows ${stage}.` : `${stage} follows ${made}.`) === undefined
      )
        go(made);
    },
    remove: (stage) => {
      const place = stages.findIndex((known) => known.id === stage);
      const next = stages[place - 1] ?? stages[place + 1];
      const said = `${stage} is gone; what followed it follows what it followed.`;
      if (apply((text) => removeStage(text, id, stage), said) === undefined && next !== undefined)
        go(next.id);
    },
  };
}
