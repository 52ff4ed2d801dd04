import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findBinaries, sameMinor, TOOLS, versionOf } from '../../../cluster/binaries.ts';

describe('the version of a program', () => {
  test('is read from go.mod', () => {
    const goMod = 'require (\n\tk8s.io/kubernetes v1.36.3 // indirect\n)\nreplace k8s.io/kubernetes => ./x\n';
    expect(versionOf(goMod, 'k8s.io/kubernetes')).toBe('v1.36.3');
    expect(() => versionOf(goMod, 'k8s.io/api')).toThrow('go.mod names no version of k8s.io/api');
  });

  test.each([
    ['Kubernetes v1.36.0', true],
    ['Client Version: v1.36.9\nKustomize Version: v5.8.1', true],
    ['kwok version v1.36.3 go1.26.8 (linux/amd64)', true],
    ['Kubernetes v1.35.3', false],
    ['Kubernetes v11.36.3', false],
    ['', false],
  ])('%j is right for v1.36.3: %s', (reported, right) => {
    expect(sameMinor(reported, 'v1.36.3')).toBe(right);
  });
});

describe('finding the programs of the control plane', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'trunnion-'));
    vi.stubEnv('TRUNNION_CACHE', join(folder, 'cache'));
    vi.stubEnv('PATH', join(folder, 'path'));
    vi.stubEnv('KUBEBUILDER_ASSETS', join(folder, 'assets'));
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  function install(where: string, name: string, version: string): string {
    const file = join(folder, where, name);
    mkdirSync(join(folder, where), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho ${version}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  const RIGHT: Record<string, string> = { etcd: 'etcd Version: 3.6.1', kwok: 'kwok version v0.8.0' };

  test('takes those of KUBEBUILDER_ASSETS before those of PATH, where the version is right', async () => {
    const expected = Object.fromEntries(
      Object.keys(TOOLS).map((name) => [name, install('assets', name, RIGHT[name] ?? 'Kubernetes v1.36.0')]),
    );
    install('path', 'kubectl', 'Client Version: v1.36.3');
    expected['etcd'] = install('path', 'etcd', 'etcd Version: 3.6.8');
    install('assets', 'etcd', 'etcd Version: 3.5.9');
    expect(await findBinaries(() => undefined)).toEqual(expected);
  });

  test('says what to install where one is missing and there is no Go', async () => {
    for (const name of Object.keys(TOOLS)) {
      if (name !== 'kwok') install('path', name, RIGHT[name] ?? 'Kubernetes v1.36.3');
    }
    const reported: string[] = [];
    await expect(findBinaries((line) => reported.push(line))).rejects.toThrow(/Install Go 1\.26 or newer/);
    expect(reported).toEqual([expect.stringContaining('building the embedded control plane')]);
    expect(readdirSync(join(folder, 'cache', 'control-plane'))).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
  });
});
