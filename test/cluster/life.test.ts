import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, test } from 'vitest';
import { startCluster } from '../../cluster/index.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { clientOf } from '../support/client.ts';
import { eventually } from './support/eventually.ts';

/** A program that starts a cluster, tells the process ids of its components, and stays. */
const HOLDER = `
  const { startCluster } = await import(process.argv[1]);
  const cluster = await startCluster({ dir: process.argv[2], nodes: 1 });
  console.log(JSON.stringify(cluster.processes));
  setInterval(() => {}, 1000);
`;

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'trunnion-life-'));
  return () => rmSync(dir, { recursive: true, force: true });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a cluster dies with the process that started it, comes back from its folder, and leaves nothing running', async () => {
  const index = new URL('../../cluster/index.ts', import.meta.url).href;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, index, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: holder.stdout }), 'line')) as [string];
  const first = Object.values(JSON.parse(line) as Record<string, number>);
  expect(first).toHaveLength(5);
  expect(first.every(isAlive)).toBe(true);
  await expect(startCluster({ dir })).rejects.toThrow('a cluster runs in this folder already');

  holder.kill('SIGKILL');
  await eventually(() => expect(first.filter(isAlive)).toEqual([]));

  const cluster = await startCluster({ dir, nodes: 2 });
  const client = clientOf(cluster);
  const metadata = { name: 'kept', namespace: 'default' };
  await client.create(TYPES.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  await cluster.restartApiServer();
  await client.get(TYPES.configMap, metadata);
  await cluster.kill('kwok');
  expect(cluster.processes).not.toHaveProperty('kwok');
  await cluster.start('kwok');
  await client.create(TYPES.pod, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'pod', namespace: 'default' },
    spec: { containers: [{ name: 'main', image: 'example.com/main:1' }] },
  });
  await eventually(async () => {
    const pod = await client.get(TYPES.pod, { namespace: 'default', name: 'pod' });
    expect(pod['status']).toMatchObject({ phase: 'Running' });
  });
  await client.close();

  const second = Object.values(cluster.processes);
  expect(second).toHaveLength(5);
  await cluster.stop();
  expect(second.filter(isAlive)).toEqual([]);
});
