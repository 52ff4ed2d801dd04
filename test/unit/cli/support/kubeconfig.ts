import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { trunnion } from '../../../support/trunnion.ts';

/** A folder of this test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'trunnion-kubeconfig-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A kubeconfig with one context, `prod`, of the user `ann`. */
export function kubeconfig(cluster: object, user: object = { token: 't' }, more: object = {}): string {
  const file = join(folder(), 'config');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'prod',
    contexts: [{ name: 'prod', context: { cluster: 'c', user: 'ann', namespace: 'models' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'ann', user }],
    ...more,
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** As a kubeconfig has it. */
export const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What is said, with the file by its name alone: one sentence, or a few, and never a stack or a command line of ours. */
export async function said(file: string | undefined, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await trunnion([
    'status',
    ...(file === undefined ? [] : ['--kubeconfig', file]),
    ...args,
  ]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).not.toMatch(/\n {4}at |kubeconfig-child|\bnode:/);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  return file === undefined ? stderr.trimEnd() : stderr.trimEnd().replaceAll(file, 'FILE');
}

/** A server on 127.0.0.1, and its port. */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A port that nothing listens on. */
export async function deadPort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
