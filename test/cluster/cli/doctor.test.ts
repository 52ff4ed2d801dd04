import { beforeAll, expect, test } from 'vitest';
import type { Check } from '../../../cli/doctor/types.ts';
import { trunnion } from '../../support/trunnion.ts';
import { adminClient } from '../support/client.ts';
import { cluster } from '../support/cluster.ts';
import { installTrunnion } from '../support/operator.ts';

beforeAll(() => installTrunnion(adminClient(), { compat: true }));

test('the embedded cluster lacks an operator and the extensions, and has the rest; lacking an operator is exit code 1', async () => {
  const { code, stdout, stderr } = await trunnion(['doctor', '-o', 'json', '--kubeconfig', cluster().kubeconfig]);
  const checks: Check[] = JSON.parse(stdout);
  const found = (verdict: Check['verdict']) =>
    checks.filter((check) => check.verdict === verdict).map((check) => `${check.about}: ${check.found}`);
  expect(found('fail')).toEqual(['Operator: trunnion-system has no Deployment trunnion-operator']);
  expect(found('ok')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Kubernetes: v1\./),
      'CRDs: ModelServing is that of this release',
      'CRDs: MLTrainingJob is that of this release',
      'GPUs: 32 × nvidia.com/gpu on 4 of 5 nodes',
      expect.stringMatching(/^Storage: .* is the default storage class$/),
      'Your rights: you may use all of it in default',
    ]),
  );
  expect(found('warn')).toEqual(expect.arrayContaining(['Metrics: is not installed']));
  expect(code).toBe(1);
  expect(stderr).toBe(`error: 1 of ${checks.length} checks failed\n`);
});
