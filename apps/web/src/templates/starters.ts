/** What a template can begin as; each is one that works under the example policy. */
export const starters = {
  single: {
    name: "One stage",
    says: "One agent does the work, and a gate judges it.",
    stages: `  - stage_id: implement
    task_type: feature-implementation
    required: true
    context_propagation: { mode: NONE }
    handoff_policy:
      retry: { max_attempts: 2 }
`,
  },
  review: {
    name: "Work and review",
    says: "One agent does the work, another looks at it.",
    stages: `  - stage_id: implement
    task_type: feature-implementation
    required: true
    context_propagation: { mode: NONE }
    handoff_policy:
      retry: { max_attempts: 2 }
  - stage_id: review
    task_type: code-review
    required: true
    depends_on_stages: [implement]
    context_propagation: { mode: PREVIOUS, carry_artifacts: true, carry_decisions: true, carry_risks: true }
`,
  },
  branches: {
    name: "Branches and a handler",
    says: "A structured answer decides where to go on, and a failure has a stage of its own.",
    stages: `  - stage_id: research
    task_type: feature-implementation
    required: true
    response_format: json_standard
    context_propagation: { mode: NONE }
    edges:
      - target_stage_id: review
        condition: response.status == "success"
      - target_stage_id: recover
        condition: response.status == "failure"
  - stage_id: review
    task_type: code-review
    required: false
  - stage_id: recover
    task_type: code-review
    required: false
`,
  },
} as const;
export type StarterName = keyof typeof starters;
export const starterNames: readonly StarterName[] = ["single", "review", "branches"];

export const starterText = (starter: StarterName, templateId: string, name: string): string =>
  `template_id: ${JSON.stringify(templateId)}
name: ${JSON.stringify(name)}
stages:
${starters[starter].stages}policy:
  max_total_retries: 4
  max_rejections: 2
  pipeline_deadline: 30m
  failure_strategy: PAUSE
`;

/** Where there is no document yet. */
export const emptyDocument = (version: string): string =>
  `pipeline_templates:
  version: ${version}
  templates: []
`;
