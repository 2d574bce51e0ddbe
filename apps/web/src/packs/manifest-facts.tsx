import { usePeople } from "../escalations/people.ts";
import { Fact, Panel } from "../ui/panel.tsx";
import { Moment } from "../ui/moment.tsx";
import { NameList } from "../ui/plate.tsx";
import { durationInWords } from "../ui/duration.ts";
import type { PackView } from "./pack-queries.ts";
import { riskTierInWords } from "./risk-tier.ts";

/** The manifest in the order in which somebody asks who to give work to: what, how far trusted, what it speaks. */
export function ManifestFacts({ pack }: { pack: PackView }) {
  const { nameOf } = usePeople();
  const { acceptedRiskTiers, supportedSchemaVersions, maxConcurrentTasks, maxTaskSeconds, responseFormat } =
    pack.interface ?? silent;
  return (
    <div className="grid items-start gap-12 lg:grid-cols-2">
      <Panel heading="What it can do">
        <dl>
          <Fact name="Task types">
            <NameList items={pack.supportedTaskTypes} none="none named" />
          </Fact>
          <Fact name="Brings tools">
            <NameList items={pack.providedTools} none="none" />
          </Fact>
          <Fact name="Needs tools">
            <NameList items={pack.requiredTools} none="none" />
          </Fact>
          <Fact name="Knows">
            <NameList items={pack.ownerDomains} none="no domain in particular" />
          </Fact>
        </dl>
      </Panel>
      <Panel heading="How far it is trusted">
        <dl>
          <Fact name="Trusted up to">{riskTierInWords(pack.safetyTier)} risk</Fact>
          <Fact name="Accepts">
            <NameList items={acceptedRiskTiers.map(riskTierInWords)} none="no tier named" />
          </Fact>
          <Fact name="Tasks at once">
            {maxConcurrentTasks === 0 ? "as its heartbeat says" : maxConcurrentTasks}
          </Fact>
          <Fact name="Longest task">
            {maxTaskSeconds === null ? "not stated" : durationInWords(maxTaskSeconds)}
          </Fact>
        </dl>
      </Panel>
      <Panel heading="What it speaks">
        <dl>
          <Fact name="Schemas">
            <NameList items={supportedSchemaVersions} none="not stated" />
          </Fact>
          <Fact name="Answers">
            {responseFormat === "" ? "as the stage asks" : "always structured (SACP)"}
          </Fact>
          <Fact name="Capability schema">{pack.capabilitySchemaVersion || "not stated"}</Fact>
          <Fact name="Oldest orchestrator">{pack.minOrchestratorVersion || "not stated"}</Fact>
        </dl>
      </Panel>
      <Panel heading="On record">
        <dl>
          <Fact name="Registered">
            <Moment at={pack.registeredAt} exact />
          </Fact>
          <Fact name="By">{nameOf(pack.registeredBy)}</Fact>
        </dl>
      </Panel>
    </div>
  );
}

const silent: NonNullable<PackView["interface"]> = {
  acceptedRiskTiers: [],
  supportedSchemaVersions: [],
  maxConcurrentTasks: 0,
  maxTaskSeconds: null,
  responseFormat: "",
};
