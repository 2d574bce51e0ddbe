import { Fact, Panel } from "../ui/panel.tsx";
import { NameList } from "../ui/plate.tsx";
import { checkWords, tierWords, whereTiers } from "./gate-words.ts";

/** There is nothing here to switch off: what a gate demands is said by each task's contract, and by the policy. */
export function GateTable() {
  return (
    <>
      <Panel heading="The six checks">
        <p className="mb-5 max-w-prose text-sm text-ink-soft">
          They are made of every result, always in this order, and each leaves its own evidence on record.
          None can be switched off; what each asks for is said by the task.
        </p>
        <ol className="board divide-y divide-rule/70">
          {Object.entries(checkWords).map(([name, { demands, unless, setBy }]) => (
            <li
              key={name}
              className="grid gap-x-8 gap-y-2 px-5 py-4 text-sm md:grid-cols-[7rem_minmax(0,1fr)_minmax(0,18rem)]"
            >
              <h3 className="font-semibold first-letter:uppercase">{name}</h3>
              <div>
                <p>{demands}</p>
                <p className="mt-1 text-ink-soft">{unless}</p>
              </div>
              <div>
                <p className="mb-1 text-xs text-ink-soft">Set by</p>
                <NameList items={setBy} none="nothing: it always holds" />
              </div>
            </li>
          ))}
        </ol>
      </Panel>
      <Panel heading="Then the tier">
        <p className="mb-5 max-w-prose text-sm text-ink-soft">{whereTiers}</p>
        <dl>
          {tierWords.map(({ tier, what }) => (
            <Fact key={tier} name={tier}>
              {what}
            </Fact>
          ))}
          <Fact name="At every tier">
            A person is asked where the work is done in part, where something was done that must not be, and
            where the task has a security flag that the stage’s escalation policy names.
          </Fact>
        </dl>
      </Panel>
    </>
  );
}
