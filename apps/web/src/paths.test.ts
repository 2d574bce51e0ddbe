import { createMemoryHistory, type AnyRouter } from "@tanstack/react-router";
import { expect, test } from "vitest";
import { endpoints, paths } from "./paths.ts";
import { createAppRouter } from "./router.tsx";

const router: AnyRouter = createAppRouter({ history: createMemoryHistory() });
const href = (link: object): string => router.buildLocation(link).publicHref;

test("every URL of the SPA is the one that people have kept", () => {
  const odd = { packId: "acme/größe 1?#%", packVersion: "1.0.0-rc.1+build.5" };
  expect({
    overview: href(paths.overview()),
    packs: href(paths.packs()),
    packsFound: href(paths.packs({ q: "re view&more" })),
    pack: href(paths.pack({ packId: "code-reviewer", packVersion: "1.2.0" })),
    packAsJson: href(paths.pack({ packId: "code-reviewer", packVersion: "1.2.0" }, "json")),
    packOfOddName: href(paths.pack(odd)),
    policies: href(paths.policies()),
    policy: href(paths.policy("1.0.0-rc.1+build.5")),
    policyDifference: href(paths.policy("1.1.0", "difference")),
    policyEditor: href(paths.policyEditor()),
    policyDraft: href(paths.policyEditor({ version: "1.1.0" })),
    policyFrom: href(paths.policyEditor({ from: "1.0.0" })),
    templates: href(paths.templates()),
    templatesOfVersion: href(paths.templates({ version: "1.1.0" })),
    template: href(paths.template({ templateId: "ship", version: "1.1.0" })),
    templateAsYaml: href(paths.template({ templateId: "ship/größe", version: "1.1.0" }, "yaml")),
    editTemplate: href(paths.editTemplate("ship", { from: "1.1.0" })),
    beginTemplate: href(paths.editTemplate("ship", { starter: "review" })),
    audit: href(paths.audit()),
    auditFound: href(
      paths.audit({ eventType: "GATE_REJECTED", from: "2026-11-18T10:00:00Z", q: "no instance" }),
    ),
    auditEntry: href(paths.auditEntry("0190b3a8-8f0f-7bbb-8888-0123456789ab")),
    escalations: href(paths.escalations()),
    escalationsFound: href(paths.escalations({ status: "closed", assignee: "me", due: "late" })),
    escalation: href(paths.escalation("0199-e1")),
    instances: href(paths.instances()),
    instancesOfPack: href(paths.instances("acme/painter")),
    alerts: href(paths.alerts()),
    activity: href(paths.activity({ range: "week" })),
    learning: href(paths.learning()),
    signals: href(paths.learning({ view: "signals", by: "territory", capability: "consult.align" })),
    proposal: href(paths.proposal("0199-p")),
    artifacts: href(paths.artifacts("0199-aa")),
    attempts: href(paths.attempts("0199-aa")),
    oneAttempt: href(paths.attempts("0199-aa", { stage: "a/b", attempt: "2", view: "result" })),
    logFromTurn: href(
      paths.attempts("0199-aa", { stage: "build", attempt: "1", show: "terminal", from: "7" }),
    ),
    trace: href(paths.trace("0199-aa")),
    oneSpan: href(paths.trace("0199-aa", { span: "0123456789abcdef" })),
    partOfATrace: href(paths.trace("0199-aa", { from: "1200", until: "1250.5", waits: "long" })),
    pipelines: href(paths.pipelines()),
    pipelinesFound: href(paths.pipelines({ status: "PAUSED", pack: "qa", q: "add clamp", since: "day" })),
    pipeline: href(paths.pipeline("0199-a")),
    submitTask: href(paths.submitTask()),
    submitTaskAsJson: href(paths.submitTask("json")),
    settings: href(paths.settings()),
    redaction: href(paths.redaction()),
    gates: href(paths.gates()),
    members: href(paths.members()),
    keys: href(paths.keys()),
    setUp: href(paths.setUp()),
    signIn: href(paths.signIn()),
    signInFromOverview: href(paths.signIn("/")),
    signInAndGoOn: href(paths.signIn("/packs?q=a")),
  }).toMatchInlineSnapshot(`
    {
      "activity": "/alerts/metrics?range=week",
      "alerts": "/alerts",
      "artifacts": "/pipelines/0199-aa/artifacts",
      "attempts": "/pipelines/0199-aa/attempts",
      "audit": "/audit",
      "auditEntry": "/audit/0190b3a8-8f0f-7bbb-8888-0123456789ab",
      "auditFound": "/audit?eventType=GATE_REJECTED&from=2026-11-18T10%3A00%3A00Z&q=no+instance",
      "beginTemplate": "/templates/ship/edit?starter=review",
      "editTemplate": "/templates/ship/edit?from=1.1.0",
      "escalation": "/escalations/0199-e1",
      "escalations": "/escalations",
      "escalationsFound": "/escalations?status=closed&assignee=me&due=late",
      "gates": "/settings/gates",
      "instances": "/instances",
      "instancesOfPack": "/instances?pack=acme%2Fpainter",
      "keys": "/settings/keys",
      "learning": "/learning",
      "logFromTurn": "/pipelines/0199-aa/attempts?stage=build&attempt=1&show=terminal&from=7",
      "members": "/settings/members",
      "oneAttempt": "/pipelines/0199-aa/attempts?stage=a%2Fb&attempt=2&view=result",
      "oneSpan": "/pipelines/0199-aa/trace?span=0123456789abcdef",
      "overview": "/",
      "pack": "/packs/code-reviewer/versions/1.2.0",
      "packAsJson": "/packs/code-reviewer/versions/1.2.0?view=json",
      "packOfOddName": "/packs/acme%2Fgr%C3%B6%C3%9Fe%201%3F%23%25/versions/1.0.0-rc.1%2Bbuild.5",
      "packs": "/packs",
      "packsFound": "/packs?q=re+view%26more",
      "partOfATrace": "/pipelines/0199-aa/trace?from=1200&until=1250.5&waits=long",
      "pipeline": "/pipelines/0199-a",
      "pipelines": "/pipelines",
      "pipelinesFound": "/pipelines?status=PAUSED&pack=qa&q=add+clamp&since=day",
      "policies": "/policies",
      "policy": "/policies/1.0.0-rc.1%2Bbuild.5",
      "policyDifference": "/policies/1.1.0?view=difference",
      "policyDraft": "/policies/edit?version=1.1.0",
      "policyEditor": "/policies/edit",
      "policyFrom": "/policies/edit?from=1.0.0",
      "proposal": "/learning/0199-p",
      "redaction": "/settings/redaction",
      "setUp": "/set-up",
      "settings": "/settings",
      "signIn": "/sign-in",
      "signInAndGoOn": "/sign-in?next=%2Fpacks%3Fq%3Da",
      "signInFromOverview": "/sign-in",
      "signals": "/learning?view=signals&by=territory&capability=consult.align",
      "submitTask": "/pipelines/submit",
      "submitTaskAsJson": "/pipelines/submit?view=json",
      "template": "/templates/ship/versions/1.1.0",
      "templateAsYaml": "/templates/ship%2Fgr%C3%B6%C3%9Fe/versions/1.1.0?view=yaml",
      "templates": "/templates",
      "templatesOfVersion": "/templates?version=1.1.0",
      "trace": "/pipelines/0199-aa/trace",
    }
  `);
});

test("the way to the provider says where to go on, and in which tenant", () => {
  expect(endpoints.oidc({ next: undefined, tenantId: undefined })).toBe("/v1/session/oidc");
  expect(endpoints.oidc({ next: "/packs?q=a", tenantId: "north" })).toBe(
    "/v1/session/oidc?next=%2Fpacks%3Fq%3Da&tenantId=north",
  );
});

test("the socket is on the page's own origin, and encrypted where the page is", () => {
  expect(endpoints.socket("http://127.0.0.1:7400")).toBe("ws://127.0.0.1:7400/trpc");
  expect(endpoints.socket("https://signalbox.example")).toBe("wss://signalbox.example/trpc");
  expect(endpoints.stream("https://signalbox.example")).toBe("wss://signalbox.example/v1/stream");
});
