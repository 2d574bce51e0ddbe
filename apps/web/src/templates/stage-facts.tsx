import { CodeBlock } from "../ui/code-block.tsx";
import { Fact, Panel } from "../ui/panel.tsx";
import { NameList } from "../ui/plate.tsx";
import { endOf, fieldsOf, type Stage, type Template } from "./template-graph.ts";

/** What a version says of a stage, in the words of the forms. */
export function StageFacts({ template, stage }: { template: Template; stage: Stage }) {
  const { lines } = template;
  const handoff = fieldsOf(stage.fields["handoff_policy"]);
  const context = fieldsOf(stage.fields["context_propagation"]);
  return (
    <Panel heading={`Stage ${stage.id}`}>
      <dl>
        {stage.name !== "" && <Fact name="Name">{stage.name}</Fact>}
        <Fact name="Task type">{stage.taskType}</Fact>
        <Fact name="Required">{stage.required ? "yes" : "no: the pipeline can complete without it"}</Fact>
        <Fact name="After">
          <NameList
            items={lines.filter(({ to }) => to === stage.id).map(({ from }) => from)}
            none="It starts at once."
          />
          {stage.join === "ANY" && <p className="mt-1">One of them is enough.</p>}
        </Fact>
        <Fact name="Leads to">
          <Followers template={template} stage={stage} />
        </Fact>
        <Fact name="Attempts">
          {shown(fieldsOf(handoff["retry"])["max_attempts"]) ?? "as the default says"}
        </Fact>
        <Fact name="Context">{shown(context["mode"]) ?? "as the default says"}</Fact>
        <Fact name="Answer">
          {stage.fields["response_format"] === "json_standard" ? "structured (SACP)" : "free"}
        </Fact>
        <Written name="Its data must be" what="the schema" value={stage.fields["output_schema"]} />
        <Written name="Is given" what="the inputs" value={stage.fields["inputs"]} />
      </dl>
    </Panel>
  );
}

/** What is a document of its own, as it is written; nothing where the template says nothing. */
function Written({ name, what, value }: { name: string; what: string; value: unknown }) {
  if (value === undefined) return null;
  return (
    <Fact name={name}>
      <CodeBlock what={what} code={JSON.stringify(value, null, 2)} />
    </Fact>
  );
}

const shown = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

function Followers({ template, stage }: { template: Template; stage: Stage }) {
  const leading = template.lines.filter(({ from }) => from === stage.id);
  if (leading.length === 0) return <span className="text-ink-soft">Nothing: the pipeline ends here.</span>;
  return (
    <ul className="space-y-1">
      {leading.map((line) => (
        <li key={line.to} className="anywhere">
          <span className="font-mono text-xs">{line.to}</span>{" "}
          {endOf(line) === "success" ? (
            <span className="text-ink-soft">after success</span>
          ) : (
            <span className="text-ink-soft">
              when <code className="font-mono text-xs text-ink">{line.conditions.join(" or ")}</code>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
