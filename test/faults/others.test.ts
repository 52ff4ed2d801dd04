import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestCluster, withCluster } from '../../testing/cluster/index.ts';
import { faults, FaultsError } from '../../testing/faults/index.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { crdOf, GADGET } from '../support/widget.ts';
import { WebApp } from './programs/web-app.ts';

/** The campaign as others run it, on programs that it knows nothing of. */

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await withCluster({ install: crdOf(GADGET) });
});
afterAll(() => cluster.stop());

const program = (name: string): readonly string[] => [
  process.execPath,
  new URL(`programs/${name}.ts`, import.meta.url).pathname,
];

const webApp = (message: string, replicas: number) => ({
  apiVersion: 'acme.dev/v1',
  kind: 'WebApp',
  metadata: { name: 'demo' },
  spec: { image: 'example.com/web:1', message, replicas },
});

const gadget = (message: string) => ({
  apiVersion: 'test.trunnion.dev/v1',
  kind: 'Gadget',
  metadata: { name: 'demo' },
  spec: { message },
});

describe.concurrent('a cluster for tests', () => {
  it('has pods that become ready, in a namespace of the test', async () => {
    const objects = cluster.objects.in(await cluster.namespace('web'));
    const labels = { app: 'web' };
    await objects.apply({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } },
      },
    });
    await eventually(async () => {
      expect((await objects.find('Deployment', 'web'))?.['status']).toMatchObject({ readyReplicas: 1 });
    });
    await objects.patch('Deployment', 'web', { spec: { replicas: 2 } });
    await eventually(async () => expect(await objects.list('Pod', { labelSelector: 'app=web' })).toHaveLength(2));
    await objects.delete('Deployment', 'web');
    await eventually(async () => expect(await objects.find('Deployment', 'web')).toBeUndefined());
    expect(objects.namespace).toMatch(/^web-/);
  });

  it('ends with the function that it is for, and what that throws is thrown', async () => {
    const dir = await withCluster({ install: crdOf(GADGET) }, async (own) => {
      expect(await own.objects.list('Gadget')).toEqual([]);
      return own.dir;
    });
    expect(existsSync(dir)).toBe(false);
  });
});

describe.concurrent('the campaign of faults', () => {
  it('finds nothing wrong with an operator of the runtime', async () => {
    const ready = { kind: 'WebApp', name: 'demo', condition: 'Ready' };
    const report = await faults({
      cluster,
      operator: { command: program('careful'), ready: '/readyz', rereadsToken: true },
      kinds: [WebApp],
      parallel: 6,
      scenario: [
        { name: 'create', apply: webApp('one', 1), until: ready },
        { name: 'change', apply: webApp('two', 2), until: ready },
        { name: 'delete', delete: { kind: 'WebApp', name: 'demo' } },
      ],
      plans: ['A1 killed after write 2', 'meet a server 2 s behind', 'C3 every', 'D5 the token', 'E7', 'F3 the label'],
    });
    expect(report.text).not.toContain('FAILED');
    expect(report).toMatchObject({ passed: true, failures: [], notRun: [] });
    expect(report.results.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['N0', 'A1', 'B1', 'C3', 'D5', 'E7', 'F3']),
    );
  });

  it('finds out a careless operator, and says what it does wrong', async () => {
    const ready = { kind: 'Gadget', name: 'demo', condition: 'Ready' };
    const report = await faults({
      cluster,
      operator: { command: program('careless'), mayEnd: true },
      kinds: [GADGET],
      scenario: [
        { name: 'create', apply: gadget('one'), until: ready },
        { name: 'change', patch: { kind: 'Gadget', name: 'demo', body: { spec: { message: 'two' } } }, until: ready },
      ],
      plans: ['A2 killed before the answer to write 1', 'C2 gadgets', 'E7', 'F1 deleted twice'],
      stepSeconds: 20,
    });
    expect(report.passed).toBe(false);
    const found = Object.fromEntries(report.failures.map(({ id, failures }) => [id, failures.join('\n')]));
    // A second one was made, and nobody knows of the first.
    expect(found['A2']).toMatch(/after create, ConfigMap\/demo-\* is/);
    // What ended its watch was not an answer that it knew.
    expect(found['C2']).toMatch(/ConfigMap\/demo-\* is .* instead of absent/);
    expect(found['E7']).toMatch(/writes after a restart at rest/);
    expect(report.failures.map(({ id }) => id).toSorted()).toEqual(['A2', 'C2', 'E7']);
    expect(report.text).toContain('FAILED Gadget E7: restarted at rest before each step, it writes nothing');
    expect(report.text).toMatch(/To run one plan again: plans: "[A-F]\d/);
  });

  it('says why an operator can not be led at all: what it wrote to its output', async () => {
    const broken = faults({
      cluster,
      operator: { command: ['sh', '-c', 'echo "no such option: --watch" >&2; exit 2'] },
      kinds: [GADGET],
      scenario: [{ name: 'create', apply: gadget('one') }],
    });
    await expect(broken).rejects.toThrow(FaultsError);
    await expect(broken).rejects.toThrow(
      /ended by itself with code 2, 8 times in a row, each soon after its start[^]*no such option: --watch/,
    );
  });
});
