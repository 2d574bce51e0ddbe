import type { DescMessage } from "@bufbuild/protobuf";
import { AgentService } from "./gen/vasini/agent/v1/agent_service_pb.ts";
import { AuditEntrySchema } from "./gen/vasini/agent/v1/audit_pb.ts";
import { ControlPlaneService } from "./gen/vasini/agent/v1/control_plane_service_pb.ts";
import { ErrorDetailSchema } from "./gen/vasini/agent/v1/error_pb.ts";
import { HandoffPolicySchema } from "./gen/vasini/agent/v1/handoff_policy_pb.ts";
import { AgentHeartbeatSchema } from "./gen/vasini/agent/v1/heartbeat_pb.ts";
import { AgentManifestSchema } from "./gen/vasini/agent/v1/manifest_pb.ts";
import { PipelineSchema } from "./gen/vasini/agent/v1/pipeline_pb.ts";
import { AgentResultSchema } from "./gen/vasini/agent/v1/result_pb.ts";
import { TaskEnvelopeSchema } from "./gen/vasini/agent/v1/task_envelope_pb.ts";
import { TaskSubmissionSchema } from "./gen/vasini/agent/v1/task_submission_pb.ts";

/** The messages that travel or are stored on their own. Every other message of the contract is within one of them. */
export const CONTRACT_MESSAGES: readonly DescMessage[] = [
  TaskEnvelopeSchema,
  TaskSubmissionSchema,
  AgentResultSchema,
  HandoffPolicySchema,
  AgentManifestSchema,
  AgentHeartbeatSchema,
  PipelineSchema,
  AuditEntrySchema,
  ErrorDetailSchema,
  ...[AgentService, ControlPlaneService].flatMap(({ methods }) =>
    methods.flatMap(({ input, output }) => [input, output]),
  ),
];
