import { freeId } from "../../templates/free-id.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { KnownNames } from "../../documents/known-names.ts";
import { CapabilityCard } from "./capability-card.tsx";
import { Entries, Part } from "./entry-card.tsx";
import { PlaybookCard } from "./playbook-card.tsx";
import { PrincipleCard } from "./principle-card.tsx";
import type { SapOutline } from "./section-outline.ts";
import type { Writing } from "./writing.ts";

const section = "sap_policy";

type SapProps = {
  outline: SapOutline;
  routed: readonly string[];
  names: KnownNames;
  writing: Writing;
};

export function SapSection({ outline, routed, names, writing }: SapProps) {
  const { add, faultAt } = writing;
  const { capabilities, principles, playbooks } = outline;
  const named = capabilities.map(({ capability }) => capability);
  const taskTypes = [...new Set([...routed, ...names.taskTypes])];
  const packs = names.packs.map(({ packId }) => packId);
  const faultOf = (key: string) => faultAt([section, key]);
  return (
    <Panel heading="SAP tasks">
      <div className="grid gap-8">
        {faultAt([section]) !== undefined && <p role="alert">{faultAt([section])}</p>}
        <Part
          heading="Capabilities"
          add={
            <Button
              onClick={() => {
                const unnamed = routed.find((taskType) => !named.includes(taskType));
                add([section, "capabilities"], { capability: unnamed ?? freeId("new-capability", named) });
              }}
            >
              Add a capability
            </Button>
          }
        >
          <Fault of={faultOf("capabilities")} />
          <Entries
            label="Capabilities"
            entries={capabilities}
            none="None is named: a task type with a route is the capability of its name."
          >
            {(capability, index) => (
              <CapabilityCard
                outline={capability}
                at={[section, "capabilities", index]}
                index={index}
                taskTypes={taskTypes}
                packs={packs}
                writing={writing}
              />
            )}
          </Entries>
        </Part>
        <Part
          heading="Principles"
          add={
            <Button
              onClick={() => {
                const taken = principles.map(({ principle }) => principle);
                add([section, "principles"], { principle: freeId("new-principle", taken) });
              }}
            >
              Add a principle
            </Button>
          }
        >
          <Fault of={faultOf("principles")} />
          <Entries label="Principles" entries={principles} none="None is named.">
            {(principle, index) => (
              <PrincipleCard
                outline={principle}
                at={[section, "principles", index]}
                index={index}
                writing={writing}
              />
            )}
          </Entries>
        </Part>
        <Part
          heading="Playbooks"
          add={
            <Button
              onClick={() =>
                add([section, "playbooks"], { capability: named[0] ?? routed[0] ?? "", text: "" })
              }
            >
              Add a playbook
            </Button>
          }
        >
          <Fault of={faultOf("playbooks")} />
          <Entries label="Playbooks" entries={playbooks} none="Nothing is told to who works on a task.">
            {(playbook, index) => (
              <PlaybookCard
                outline={playbook}
                at={[section, "playbooks", index]}
                index={index}
                capabilities={[...new Set([...named, ...routed])]}
                writing={writing}
              />
            )}
          </Entries>
        </Part>
      </div>
    </Panel>
  );
}

const Fault = ({ of }: { of: string | undefined }) =>
  of === undefined ? null : (
    <p role="alert" className="anywhere text-sm">
      {of}
    </p>
  );
