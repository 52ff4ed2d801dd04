import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a minute and more, most of it waiting. A part ends with the last of them. */
const SLOW = [
  'security/policies.test.ts',
  'security/names.test.ts',
  'model-serving/rest.test.ts',
  'agent-service/failures.test.ts',
  'security/host-policies.test.ts',
  'security/rights.test.ts',
  'cli/demo.test.ts',
  'cluster/mutations.test.ts',
  'agent-service/rest.test.ts',
  'security/policies-stay.test.ts',
  'agent-service/life.test.ts',
  'distributed-training/attempts.test.ts',
  'cli/plan.test.ts',
  'cli/handover.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = SLOW.findIndex((file) => moduleId.endsWith(`/${file}`));
  return rank === -1 ? SLOW.length : rank;
};

/** Slow files begin first, so that no worker has one left when the others are done. The rest has the order of Vitest. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
