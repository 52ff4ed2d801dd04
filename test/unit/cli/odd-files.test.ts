import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textOf } from '../../../cli/file-text.ts';
import { trunnion } from '../../support/trunnion.ts';

const SERVICE = 'apiVersion: v1\nkind: Service\nmetadata: {name: größe}\n';

/** A text in UTF-16 as Windows writes it, or with its bytes the other way round. */
function utf16(text: string, order: 'little' | 'big', mark = '\uFEFF'): Buffer {
  const bytes = Buffer.from(`${mark}${text}`, 'utf16le');
  return order === 'little' ? bytes : bytes.swap16();
}

const FILES: Readonly<Record<string, string | Buffer>> = {
  'empty.yaml': '',
  'blank.yaml': ' \n\n',
  'comments.yaml': '# nothing yet\n---\n# nor here\n',
  'unmarked.yaml': utf16(SERVICE, 'little', ''),
  'packed.tgz': gzipSync(SERVICE),
  'deployment.yaml': 'metadata:\n  name: {{ include "app.fullname" . }}\n  {{- with .Values.labels }}\n  {{- end }}\n',
  'quoted.yaml': SERVICE.replace('größe', '"{{ .Release.Name }}-app"'),
  'nameless.yaml': 'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}\n',
  'overlay/kustomization.yaml': 'resources: [serving.yaml]\n',
  'named.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: {name: a}\n',
  'chart/Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
  'plain/b.yaml': SERVICE,
  'plain/a.md': 'words',
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'odd-files-'));
  for (const [name, content] of Object.entries(FILES)) {
    await mkdir(join(folder, dirname(name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  await mkdir(join(folder, 'bare'));
});
afterAll(() => rm(folder, { recursive: true }));

const EMPTY = 'give YAML or JSON with at least one resource';
const BINARY = 'is no text: give YAML or JSON in UTF-8, or in UTF-16 with a byte order mark';
const HELM = 'is a template of Helm: render its chart first, helm template CHART | trunnion ... -f -';
const KUSTOMIZE = 'is a kustomization: render its folder first, kubectl kustomize FOLDER | trunnion ... -f -';

test.each([
  ['empty.yaml', 1, `DIR/empty.yaml is empty: ${EMPTY}`],
  ['blank.yaml', 1, `DIR/blank.yaml is empty: ${EMPTY}`],
  ['comments.yaml', 1, `DIR/comments.yaml is empty but for comments: ${EMPTY}`],
  ['unmarked.yaml', 1, `DIR/unmarked.yaml ${BINARY}`],
  ['packed.tgz', 1, `DIR/packed.tgz ${BINARY}`],
  ['deployment.yaml', 1, `DIR/deployment.yaml ${HELM}`],
  ['quoted.yaml', 1, `DIR/quoted.yaml ${HELM}`],
  ['nameless.yaml', 1, `DIR/nameless.yaml ${HELM}`],
  ['overlay/kustomization.yaml', 1, `DIR/overlay/kustomization.yaml, document 1 ${KUSTOMIZE}`],
  ['named.yaml', 1, `DIR/named.yaml, document 1 ${KUSTOMIZE}`],
  [
    'chart/Chart.yaml',
    1,
    'DIR/chart/Chart.yaml, document 1 is the description of a Helm chart: render it first, helm template CHART | trunnion ... -f -',
  ],
  ['overlay', 2, 'DIR/overlay is a folder, and one file is read: kubectl kustomize DIR/overlay | trunnion ... -f -'],
  ['chart', 2, 'DIR/chart is a folder, and one file is read: helm template DIR/chart | trunnion ... -f -'],
  ['plain', 2, 'DIR/plain is a folder, and one file is read: name one in it, such as DIR/plain/b.yaml'],
  ['bare', 2, 'DIR/bare is a folder, and one file is read: name one in it, as DIR/bare/FILE'],
  ['nowhere.yaml', 2, "DIR/nowhere.yaml can't be read: ENOENT"],
])('each command says of %s with exit code %i: %s', async (file, code, message) => {
  for (const command of ['render', 'plan', 'convert', 'graph']) {
    const reported = await trunnion([command, '-f', join(folder, file)]);
    expect({ command, code: reported.code }).toEqual({ command, code });
    expect(reported.stderr.replaceAll(folder, 'DIR')).toContain(message);
  }
});

test.each(['https://example.com/a.yaml', 'HTTP://example.com/a.yaml'])(
  'of %s it is said how it is fetched',
  async (url) => {
    const { code, stderr } = await trunnion(['render', '-f', url]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`${url} is a URL, and only files are read: curl -sL ${url} | trunnion ... -f -`),
    });
  },
);

test('values of an installation are no pipe', async () => {
  const { stderr } = await trunnion(['install', '--print', '--values', 'https://example.com/values.yaml']);
  expect(stderr).toContain(
    'is a URL, and only files are read: curl -sLO https://example.com/values.yaml, then name the file',
  );
});

test('a standard input of nothing is empty as well', async () => {
  const { code, stderr } = await trunnion(['render', '-f', '-'], '');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`standard input is empty: ${EMPTY}`) });
});

test('a list of no items is no empty file', async () => {
  const { stderr } = await trunnion(['render', '-f', '-'], '{"apiVersion": "v1", "kind": "List", "items": []}');
  expect(stderr).not.toContain('is empty');
});

test.each([
  ['in UTF-8', Buffer.from(SERVICE)],
  ['in UTF-8 with a mark', Buffer.from(`\uFEFF${SERVICE}`)],
  ['in UTF-16', utf16(SERVICE, 'little')],
  ['in UTF-16 with the high byte first', utf16(SERVICE, 'big')],
  ['of no bytes', Buffer.from('')],
])('a text %s is read as it is, as kubectl reads it', (name, bytes) => {
  expect(textOf(bytes)).toBe(name === 'of no bytes' ? '' : SERVICE);
});

test.each([
  ["Flux's Kustomization", 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\n'],
  ['a template of KServe', `${SERVICE}spec: {model: "{{ .Spec.Model.Name }}"}\n`],
  [
    'a ConfigMap with a template of Helm',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "{{ .Values.b }}"}\n',
  ],
])('%s is a resource as others are', async (_, text) => {
  const { stderr } = await trunnion(['render', '-f', '-'], text);
  expect(stderr).not.toMatch(/Helm|kustomize FOLDER/);
});
