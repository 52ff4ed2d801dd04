import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestCluster, withCluster } from '../../testing/cluster/index.ts';
import { faults } from '../../testing/faults/index.ts';
import { SUBJECTS } from './scenarios.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await withCluster();
});
afterAll(() => cluster.stop());

describe.concurrent('an example of an operator', () => {
  it.for(Object.entries(SUBJECTS))('survives one plan of each class: %s', async ([, subject]) => {
    const report = await faults({ ...subject(), cluster, plans: 'few' });
    expect(report.text).not.toContain('FAILED');
    expect(report).toMatchObject({ passed: true, failures: [], notRun: [] });
  });
});
