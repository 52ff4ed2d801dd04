import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiError } from '../../../operator/kube/index.ts';
import { manifestsOf, ServedTypes } from '../../../testing/cluster/index.ts';

const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

function folder(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'manifests-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

describe('manifests', () => {
  it('are objects, files with several documents, folders, and lists of these', () => {
    const yaml = (name: string) => `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}\n`;
    const dir = folder({
      'b.yaml': `${yaml('one')}---\n${yaml('two')}---\n`,
      'a.json': JSON.stringify(namespace('zero')),
      'notes.txt': 'not read',
    });
    const names = manifestsOf([namespace('first'), [dir, join(dir, 'b.yaml')]]).map(({ metadata }) => metadata.name);
    expect(names).toEqual(['first', 'zero', 'one', 'two', 'one', 'two']);
  });

  it.each<[string, Readonly<Record<string, string>> | undefined, RegExp]>([
    ['a file that is not there', undefined, /^crds\[0\]: there is no file or folder .*nowhere\. Paths begin in \//],
    ['a folder without manifests', {}, /^crds\[0\]: the folder .* has no file that ends in \.yaml, \.yml, \.json$/],
    ['what is not YAML', { 'a.yaml': 'a: [' }, /^crds\[0\]: .*a\.yaml can't be read: /],
    [
      'what is not a manifest',
      { 'a.yaml': 'kind: A' },
      /a\.yaml is not a manifest: it has no apiVersion, metadata\.name$/,
    ],
    ['a text', { 'a.yaml': 'words' }, /is not a manifest: it has no apiVersion, kind, metadata\.name$/],
  ])('of %s are refused', (_, files, words) => {
    expect(() => manifestsOf([files === undefined ? '/no/such/nowhere' : folder(files)], 'crds')).toThrow(words);
  });
});

describe('the types that a server serves', () => {
  const ANSWERS: Readonly<Record<string, unknown>> = {
    '/apis': {
      groups: [{ preferredVersion: { groupVersion: 'apps/v1' } }, { preferredVersion: { groupVersion: 'a.io/v1' } }],
    },
    '/api/v1': {
      resources: [
        { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['list'] },
        { name: 'pods/log', kind: 'Pod', namespaced: true },
        { name: 'nodes', kind: 'Node', namespaced: false },
      ],
    },
    '/apis/apps/v1': { resources: [{ name: 'deployments', kind: 'Deployment', namespaced: true }] },
  };
  const asked: string[] = [];
  const types = new ServedTypes({
    raw: async (_, path) => {
      asked.push(path);
      const answer = ANSWERS[path];
      if (answer === undefined) throw new ApiError(404, {});
      return answer;
    },
  });

  it.each([
    ['Pod', { group: '', version: 'v1', plural: 'pods', namespaced: true }],
    ['v1/Node', { group: '', version: 'v1', plural: 'nodes', namespaced: false }],
    ['Deployment', { group: 'apps', version: 'v1', plural: 'deployments' }],
    ['apps/v1/Deployment', { group: 'apps', version: 'v1', plural: 'deployments' }],
  ])('are found by %s', async (kind, type) => {
    expect(await types.find(kind)).toMatchObject(type);
  });

  it('are asked for once', async () => {
    await types.find('Pod');
    const before = asked.length;
    await types.find('Pod');
    expect(asked.length).toBe(before);
  });

  it('that are not served are told, with what to do', async () => {
    await expect(types.find('Gadget')).rejects.toThrow('does not serve a kind "Gadget". Write it as in a manifest');
    await expect(types.find('apps/v1/Gadget')).rejects.toThrow(
      'does not serve the kind Gadget of apps/v1. Install its CRD. apps/v1 has: Deployment.',
    );
    await expect(types.find('b.io/v1/Gadget')).rejects.toThrow('b.io/v1 has: nothing.');
  });

  it('leave out a version whose own server is away', async () => {
    expect((await types.all()).map(({ kind }) => kind)).toEqual(['Pod', 'Node', 'Deployment']);
  });

  const GROUPS = { groups: [{ versions: [{ groupVersion: 'acme.dev/v1' }] }] };
  const VERSION = { resources: [{ name: 'webapps', kind: 'WebApp', namespaced: true }] };
  it.each([
    ['are there', GROUPS, VERSION, true],
    ['are missing where the list of groups does not have them yet', { groups: [] }, VERSION, false],
    ['are missing where their version does not have them yet', GROUPS, { resources: [] }, false],
    ['are missing where their version is not there yet', GROUPS, undefined, false],
  ])('of a CRD that was just installed %s', async (_, groups, version, isThere) => {
    const raw = async (__: string, path: string) => {
      if (path === '/apis') return groups;
      if (version === undefined) throw new ApiError(404, {});
      return version;
    };
    const type = { group: 'acme.dev', version: 'v1', kind: 'WebApp', plural: 'webapps' };
    expect(await new ServedTypes({ raw }).isDiscovered(type)).toBe(isThere);
  });
});
