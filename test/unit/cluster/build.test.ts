import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { build } from '../../../cluster/build.ts';

let folder: string;
let reported: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunnion-'));
  reported = [];
  vi.stubEnv('PATH', folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A `go` that is a shell script; it has its arguments, up to -o, behind it and `$2` is the output. */
function fakeGo(script: string): void {
  const file = join(folder, 'go');
  writeFileSync(file, `#!/bin/sh\necho "$@" >> ${folder}/calls\nwhile [ "$1" != -o ]; do shift; done\n${script}\n`);
  chmodSync(file, 0o755);
}

function buildTwo(): Promise<void> {
  return build({
    what: 'the programs',
    takes: 'no time',
    otherwise: 'go without',
    modules: folder,
    target: join(folder, 'built'),
    tools: [
      { name: 'etcd', package: 'example.com/etcd/server' },
      { name: 'kubectl', package: 'example.com/kubectl' },
    ],
    variables: { 'example.com/version.told': 'v1.2.3' },
    log: (line) => reported.push(line),
  });
}

test('every program is built under its name, and tells how far it has come', async () => {
  fakeGo('echo "go: downloading example.com/x v1.0.0" >&2; echo example.com/x >&2; echo bytes >&2; echo made > "$2"');
  await buildTwo();
  expect(readdirSync(join(folder, 'built'))).toEqual(['etcd', 'kubectl']);
  expect(reported.slice(1)).toEqual([
    '  etcd (1 of 2): 1 modules downloaded, 2 packages compiled',
    '  kubectl (2 of 2): 1 modules downloaded, 2 packages compiled',
  ]);
  expect(readFileSync(join(folder, 'calls'), 'utf8')).toContain('-s -w -X example.com/version.told=v1.2.3');
  expect(readdirSync(folder).sort()).toEqual(['built', 'calls', 'go']);
});

test('what was built before an error is kept, and the error has the last words of Go', async () => {
  fakeGo('case "$3" in *kubectl) echo "x.go:1:2: undefined: y" >&2; exit 1;; esac; echo made > "$2"');
  await expect(buildTwo()).rejects.toThrow('go build example.com/kubectl failed:\nx.go:1:2: undefined: y');
  expect(readdirSync(join(folder, 'built'))).toEqual(['etcd']);
  fakeGo('echo made > "$2"');
  await buildTwo();
  expect(reported.at(-1)).toBe('  kubectl (1 of 1): 0 packages compiled');
});

test('two builders build once', async () => {
  fakeGo('echo made > "$2"');
  await Promise.all([buildTwo(), buildTwo()]);
  expect(readFileSync(join(folder, 'calls'), 'utf8').trimEnd().split('\n')).toHaveLength(2);
  expect(reported).toContain(`waiting for process ${process.pid}, which builds the programs`);
});

test('the lock of a builder that died is broken', async () => {
  // Above the highest process id that Linux gives.
  writeFileSync(join(folder, 'built.lock'), '4194305');
  fakeGo('echo made > "$2"');
  await buildTwo();
  expect(readdirSync(join(folder, 'built'))).toEqual(['etcd', 'kubectl']);
});
