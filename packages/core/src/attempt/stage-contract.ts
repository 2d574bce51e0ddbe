import { clone, create } from "@bufbuild/protobuf";
import {
  type Contract,
  ContractSchema,
  EnvironmentSchema,
  FileManifestSchema,
  IOContractSchema,
  TestContractSchema,
} from "@signalbox/contracts";

/**
 * ATT-1: what a stage is asked to do is the task's contract, and where the template says something for the stage, that
 * instead. The task's id and title stay: every stage works on the same task.
 */
export function stageContract(task: Contract, template: Contract | undefined): Contract {
  if (template === undefined) return task;
  const contract = clone(ContractSchema, task);
  contract.ownerDomain = template.ownerDomain || task.ownerDomain;
  contract.acceptanceCriteria = said(template.acceptanceCriteria, task.acceptanceCriteria);
  contract.nonGoals = said(template.nonGoals, task.nonGoals);
  contract.definitionOfDone = said(template.definitionOfDone, task.definitionOfDone);
  contract.expectedFiles = template.expectedFiles ?? task.expectedFiles ?? create(FileManifestSchema);
  contract.tests = template.tests ?? task.tests ?? create(TestContractSchema);
  contract.io = template.io ?? task.io ?? create(IOContractSchema);
  contract.environment = template.environment ?? task.environment ?? create(EnvironmentSchema);
  return contract;
}

const said = (own: string[], other: string[]): string[] => (own.length > 0 ? own : other);
