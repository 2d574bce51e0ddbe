import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { Fact, Panel } from "../ui/panel.tsx";
import { NameList } from "../ui/plate.tsx";
import { type InForce, redactionInForce } from "./redaction-queries.ts";

/** The policy itself is a section of the routing policy, and is edited, checked and published with it. */
export function RedactionPolicy() {
  const { data } = useSuspenseQuery(redactionInForce());
  return (
    <>
      <Panel heading="The policy in force">
        <p className="mb-5 max-w-prose text-sm text-ink-soft">
          <Source of={data} />
        </p>
        <dl>
          <Fact name="Always masked">
            <NameList items={data.alwaysRedact} none="no field by its path" />
          </Fact>
        </dl>
        <ul aria-label="What is masked by field" className="board mt-6 divide-y divide-rule/70 text-sm">
          {data.conditionalRedact.map(({ field, rule, maxLength }) => (
            <li
              key={`${field} ${rule}`}
              className="grid gap-x-6 px-5 py-2 sm:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]"
            >
              <code className="anywhere font-mono text-xs leading-6">{field}</code>
              <span className="anywhere">
                {ruleWords[rule] ?? rule}
                {maxLength !== null && `; at most ${maxLength.toLocaleString()} characters are kept`}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel heading="Rules that are built in">
        <p className="mb-5 max-w-prose text-sm text-ink-soft">
          They hold for every text that is written, whatever the policy says; those marked “by policy” hold
          where it asks for them.
        </p>
        <details>
          <summary className="min-h-9 content-center text-sm font-medium">
            All {data.rules.length} rules
          </summary>
          <ul className="board mt-3 divide-y divide-rule/70 text-sm">
            {data.rules.map(({ id, description, applies }) => (
              <li
                key={id}
                className="grid gap-x-6 px-5 py-2 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)_auto]"
              >
                <code className="font-mono text-xs leading-6">{id}</code>
                <span>{description}</span>
                <span className="text-ink-soft">{applies === "policy" ? "by policy" : ""}</span>
              </li>
            ))}
          </ul>
        </details>
      </Panel>
    </>
  );
}

const ruleWords: Readonly<Record<string, string>> = {
  secrets: "secrets are masked",
  strip_lines: "lines that hold a secret are left out",
  personal_data: "secrets, addresses, telephone and social security numbers are masked",
};

function Source({ of: { says, policyVersion } }: { of: InForce }) {
  if (policyVersion === null)
    return (
      <>
        No <PoliciesLink /> is published, so that what is built in holds. Its section redaction_policy takes
        the place of what is built in.
      </>
    );
  const policy = (
    <Link {...paths.policy(policyVersion)} className="font-medium underline underline-offset-4">
      routing policy {policyVersion}
    </Link>
  );
  if (says === "policy")
    return (
      <>Said by the section redaction_policy of the active {policy}. Draft another version to change it.</>
    );
  return <>The active {policy} has no section redaction_policy, so that what is built in holds.</>;
}

const PoliciesLink = () => (
  <Link {...paths.policies()} className="font-medium underline underline-offset-4">
    routing policy
  </Link>
);
