import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startCluster } from '../../cluster/index.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { clientOf } from '../support/client.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { trunnion } from '../support/trunnion.ts';
import { runPod } from './support/pods.ts';
import { traces } from './support/traces.ts';

let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trunnion-real-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A program that starts a cluster with a real node, says when it is there, and stays. */
const HOLDER = `
  const { startCluster } = await import(process.argv[1]);
  await startCluster({ dir: process.argv[2], nodes: 1, realNode: true });
  console.log('ready');
  setInterval(() => {}, 1000);
`;

test('a stopped cluster leaves no process, mount, network, cgroup, rule or sysctl, though a pod ran', async () => {
  const before = traces(dir);
  const cluster = await startCluster({ dir, nodes: 1, realNode: true });
  const client = clientOf(cluster);
  await runPod(cluster, client, 'idle', ['node', '-e', 'setInterval(() => {}, 1000)']);
  expect(traces(dir).length).toBeGreaterThan(before.length);
  await client.close();
  await cluster.stop();
  expect(traces(dir)).toEqual(before);
});

test('a cluster whose process is killed leaves no process, mount or network, and `cluster down` clears the rest', async () => {
  const before = traces(dir);
  const index = new URL('../../cluster/index.ts', import.meta.url).href;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, index, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: holder.stdout }), 'line');
  holder.kill('SIGKILL');
  const withoutCgroups = () => traces(dir).filter((trace) => !trace.startsWith('cgroup'));
  await eventually(() => expect(withoutCgroups()).toEqual(before));

  expect(await trunnion(['cluster', 'down', '--dir', dir])).toMatchObject({ code: 0 });
  expect(traces(dir)).toEqual(before);
});

test('two clusters side by side have a node of the same name and address, and do not meet', async () => {
  const other = mkdtempSync(join(tmpdir(), 'trunnion-real-'));
  const clusters = [
    await startCluster({ dir, nodes: 1, realNode: true }),
    await startCluster({ dir: other, nodes: 1, realNode: true }),
  ];
  try {
    for (const [index, cluster] of clusters.entries()) {
      const client = clientOf(cluster);
      await runPod(cluster, client, `pod-${index}`, ['node', '-e', 'setInterval(() => {}, 1000)']);
      const { items } = await client.list(TYPES.pod);
      expect(items.map(({ metadata }) => metadata.name)).toEqual([`pod-${index}`]);
      await client.close();
    }
  } finally {
    for (const cluster of clusters) await cluster.stop();
    rmSync(other, { recursive: true, force: true });
  }
});
