import { createFileRoute } from "@tanstack/react-router";
import { GateTable } from "../../../settings/gate-table.tsx";
import { SettingsPage } from "../../../settings/settings-page.tsx";

const lead =
  "Between a result and the next stage stands the gate: six checks, and then the task’s risk tier.";

export const Route = createFileRoute("/_panel/settings/gates")({
  component: () => (
    <SettingsPage part="Gates" lead={lead}>
      <GateTable />
    </SettingsPage>
  ),
});
