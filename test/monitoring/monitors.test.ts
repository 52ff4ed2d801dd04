import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';
import { apply, established } from '../../cli/kube/apply.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { monitoring } from '../../stacks/operator/monitoring/index.ts';
import { adminClient } from '../cluster/support/client.ts';
import { cluster } from '../cluster/support/cluster.ts';
import { testNamespace } from '../cluster/support/namespace.ts';
import { run } from '../support/run.ts';

/** The release of Prometheus' operator whose CRDs are taken. */
const MODULE = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';

const admin = adminClient();

/** The CRDs as their module has them. */
async function crds(): Promise<readonly Manifest[]> {
  const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', MODULE]);
  const { Dir } = JSON.parse(stdout) as { readonly Dir: string };
  const folder = join(Dir, 'example', 'prometheus-operator-crd');
  return ['servicemonitors', 'podmonitors', 'prometheusrules'].map(
    (plural) => parse(readFileSync(join(folder, `monitoring.coreos.com_${plural}.yaml`), 'utf8')) as Manifest,
  );
}

beforeAll(async () => {
  const manifests = await crds();
  for (const manifest of manifests) await apply(admin, manifest, 'default');
  await established(admin, manifests);
});

it.each(['service', 'pods'] as const)(
  'the API server takes all that watches an operator by its %s, with no field that is unknown',
  async (operator) => {
    const namespace = await testNamespace(admin);
    const manifests = monitoring({ namespace, operator, labels: { release: 'prometheus' } });
    const { kubectl, kubeconfig } = cluster();
    const folder = mkdtempSync(join(tmpdir(), 'trunnion-monitors-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'monitoring.yaml');
    writeFileSync(file, manifests.map((manifest) => stringify(manifest)).join('---\n'));
    const args = ['--kubeconfig', kubeconfig, 'apply', '--server-side', '--validate=strict', '-f', file];
    const { code, stdout, stderr } = await run(kubectl, args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toHaveLength(manifests.length);
  },
);
