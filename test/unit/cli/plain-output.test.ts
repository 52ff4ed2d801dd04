import { parse, parseAllDocuments } from 'yaml';
import { describe, expect, test } from 'vitest';
import { printEquivalents } from '../../../cli/convert/print.ts';
import { runComplete } from '../../../cli/complete/run.ts';
import { describe as reported } from '../../../cli/errors.ts';
import { checksText } from '../../../cli/doctor/print.ts';
import { graphsDot } from '../../../cli/graph/dot.ts';
import type { Graph } from '../../../cli/graph/graph.ts';
import { graphsSvg } from '../../../cli/graph/svg.ts';
import { describeAdoption, describeRelease } from '../../../cli/handover/print.ts';
import { type Io, processIo } from '../../../cli/io.ts';
import { Prefixer } from '../../../cli/logs/prefix.ts';
import { printManifests } from '../../../cli/manifests.ts';
import { structured } from '../../../cli/output.ts';
import { describePlan } from '../../../cli/plan/print.ts';
import { createProgram } from '../../../cli/program.ts';
import { overviewText } from '../../../cli/status/overview.ts';
import { statusText } from '../../../cli/status/print.ts';
import { tableLines } from '../../../cli/layout.ts';
import { drawnSearch } from '../../../cli/tuning/search.ts';
import { searchSvg } from '../../../cli/tuning/svg.ts';
import { searchText } from '../../../cli/tuning/text.ts';
import { HOSTILE, unseenIn } from '../../support/hostile-text.ts';
import { trunnion } from '../../support/trunnion.ts';
import { searchSpec } from '../kinds/distributed-training/search.ts';
import { resourceOf } from '../kinds/distributed-training/support.ts';

const hostile = Object.entries(HOSTILE);

const paint: Io['paint'] = (_, text) => text;
const view = { now: 0, all: true, width: Infinity, paint };

/** What each way to print makes of a hostile text in each place where one may stand. */
const PRINTERS: Readonly<Record<string, (words: string) => string>> = {
  'the tree of a resource': (words) =>
    statusText(
      {
        kind: words,
        namespace: words,
        name: words,
        phase: words,
        createdAt: words,
        conditions: [{ type: words, status: words, reason: words, message: words }],
        notes: [words],
        children: [
          {
            kind: 'Pod',
            name: words,
            state: 'failed',
            summary: words,
            because: [words, `${words}2`],
            children: [{ kind: words, name: words, state: 'ok', summary: words, because: [words], children: [] }],
          },
        ],
      },
      view,
    ),
  'the table of resources': (words) =>
    overviewText(
      [{ kind: words, namespace: words, name: words, phase: words, message: words, createdAt: words }],
      view,
    ),
  'what doctor found': (words) =>
    checksText([{ about: words, verdict: 'warn', found: words, advice: words }], { paint, width: Infinity }),
  'a plan': (words) =>
    describePlan({
      resource: words,
      now: [{ action: 'change', object: words, fields: [{ path: words, from: words, to: { [words]: words } }] }],
      later: [{ action: 'create', object: words }],
      restarts: [words],
      obstacles: [{ object: words, message: words }],
      notes: [words],
    }),
  'an adoption': (words) =>
    describeAdoption({
      resource: words,
      moves: [{ object: words, from: [words], fields: [{ path: words, from: words, to: words }] }],
      creates: [words],
      left: [words],
      restarts: [words],
      obstacles: [{ object: words, message: words }],
    }),
  'a release': (words) =>
    describeRelease({
      resource: words,
      objects: [words],
      children: [],
      differences: [{ object: words, fields: [{ path: words, from: words, to: words }] }],
      unfit: words,
    }),
  'a table': (words) => tableLines([words], [[words], [words]]).join('\n'),
  'a search': (words) => searchText(searchWith(words)),
  'a line of a log': (words) =>
    words
      .split('\n')
      .map((text) => new Prefixer({ paint }, true).line({ label: 'worker-0' }, { at: '2026-01-01T00:00:00Z', text }))
      .join(''),
};

const searchWith = (words: string) => {
  const trials = [
    { number: 1, phase: words, value: 1, assignments: { rate: words, [words]: words } },
    { number: 2, phase: 'Failed', reason: words, assignments: { rate: words } },
  ];
  const best = { trial: 1, value: 1, assignments: { rate: words } };
  const tuning = { best, running: 0, succeeded: 1, failed: 1, trials };
  const { spec, ...resource } = resourceOf(searchSpec(), { status: { phase: 'Running', tuning } as never });
  const search = spec.tuning;
  const parameters = { [words]: { type: 'categorical', values: [words, `${words}2`] }, rate: { type: 'float' } };
  const objective = { ...search?.objective, metric: words };
  return drawnSearch({ ...resource, spec: { ...spec, tuning: { ...search, objective, parameters } as never } });
};

const graphWith = (words: string): Graph => ({
  kind: words,
  namespace: words,
  name: words,
  nodes: [
    { id: words, kind: words, name: words, wave: 0, after: [], details: [words], notes: [words] },
    { id: 'b', kind: 'b', name: 'b', wave: 1, after: [words], details: [], notes: [] },
  ],
  relations: [
    {
      from: { kind: words, namespace: words, name: words },
      to: { kind: 'b', namespace: '', name: words },
      verb: words,
    },
  ],
});

describe.each(Object.entries(PRINTERS))('%s', (_, print) => {
  test.each(hostile)('has nothing of %s', (_name, words) => {
    const text = print(words);
    expect(unseenIn(text)).toEqual([]);
    expect(text).toContain('words');
    // A line of others' own would look like one of doctor's.
    expect(text.split('\n').filter((line) => /^✓ ?(GPUs|Storage)?$/.test(line))).toEqual([]);
  });

  test('has as many lines, whatever text it is of', () => {
    const linesOf = (words: string) => print(words).split('\n').length;
    if (print === PRINTERS['a line of a log']) return;
    expect(linesOf('a\nb\r\nc\u2028d')).toBe(linesOf('a b c d'));
  });
});

describe.each(hostile)('%s', (_, words) => {
  test.each([
    ['a graph', () => graphsSvg([graphWith(words)])],
    ['a search', () => searchSvg(searchWith(words))],
  ])('does nothing in an image of %s', async (_of, draw) => {
    const image = await draw();
    expect(unseenIn(image)).toEqual([]);
    // All that XML 1.0 allows, and no element, attribute or link that isn't ours.
    expect(image).toMatch(/^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u);
    const tags = new Set([...image.matchAll(/<(\/?\w+)/g)].map(([, tag = '']) => tag.replace('/', '')));
    const ours = new Set([
      'svg',
      'defs',
      'style',
      'path',
      'polygon',
      'polyline',
      'rect',
      'g',
      'text',
      'circle',
      'title',
      'desc',
      'line',
      'tspan',
    ]);
    expect([...tags].filter((tag) => !ours.has(tag))).toEqual([]);
    expect(image).not.toMatch(/<[^>]*\s(on\w+|href|xlink:href)=/);
    // Graphviz writes - and spaces that stay as numbers.
    expect(image.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|#39;|#45;|#160;)/);
  });

  test('does nothing in a graph for Graphviz', () => {
    const dot = graphsDot([graphWith(words)]);
    expect(unseenIn(dot)).toEqual([]);
    // Quoted texts aside, nothing of it is left.
    const rest = dot.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
    expect(rest).not.toMatch(/words|\P{ASCII}/u);
    expect(dot).not.toMatch(/"[^"]*\n[^"]*"(?= *\])/);
  });

  test('is the same data in JSON and YAML, with escapes', () => {
    const data = { [words]: [words, { text: words }], plain: 'می\u200Cخواهم 👩\u200D💻' };
    const wellFormed = JSON.parse(JSON.stringify(data)) as unknown;
    const json = structured('json', data);
    expect(unseenIn(json)).toEqual([]);
    expect(JSON.parse(json)).toEqual(wellFormed);
    if (!words.isWellFormed()) return;
    for (const yaml of [structured('yaml', data), printManifests([data])]) {
      expect(unseenIn(yaml)).toEqual([]);
      expect(parse(yaml)).toEqual(wellFormed);
      expect(parse(yaml, { version: '1.1' })).toEqual(wellFormed);
      expect(yaml).toContain('می\u200Cخواهم 👩\u200D💻');
    }
  });

  test('is no comment that ends in the equivalent of a resource', () => {
    const metadata = { name: words };
    const source = { apiVersion: words, kind: words, metadata };
    const note = { path: words, value: words, message: words };
    const text = printEquivalents([{ source, manifest: source, notes: [note], problems: [note] }] as never);
    expect(unseenIn(text)).toEqual([]);
    if (words.isWellFormed()) expect(parseAllDocuments(text).map((one): unknown => one.toJS())).toEqual([source]);
  });

  test('is no word that a shell completes', async () => {
    let reported = '';
    const program = createProgram(processIo());
    program.command('odd').argument('[name]').description(words);
    program.command(`x${words.replaceAll(/\s/g, '')}`);
    await runComplete({ out: (text) => (reported += text) }, program, ['']);
    expect(unseenIn(reported)).toEqual([]);
    expect(reported.split('\n').filter((line) => line.startsWith('✓'))).toEqual([]);
  });

  test('is reported plainly in an error: of a file, of its objects or of their specs', async () => {
    const name = JSON.stringify(words);
    const resource = (spec: string, resourceName = 'llama') =>
      `{apiVersion: trunnion.dev/v1alpha1, kind: ModelServing, metadata: {name: ${resourceName}}, spec: ${spec}}`;
    const inputs = [
      words,
      `a: [\n${words}`,
      `{apiVersion: v1, kind: ${name}, metadata: {name: ${name}}}`,
      `{apiVersion: trunnion.dev/v1alpha1, kind: ${name}, metadata: {name: a}}`,
      resource('{}', name),
      resource(`{${name}: 1, model: {uri: ${name}}, engine: {type: ${name}}, resources: {gpu: ${name}}}`),
      resource(`{model: {uri: "pvc://a/b"}, engine: {type: vllm, args: [${name}]}, resources: {gpu: 0, memory: 1Gi}}`),
    ];
    for (const input of inputs) {
      for (const verb of [['render'], ['graph'], ['graph', '-o', 'dot'], ['convert'], ['render', '-o', 'json']]) {
        const { stdout, stderr } = await trunnion([...verb, '-f', '-'], input);
        expect(unseenIn(stdout + stderr)).toEqual([]);
        expect(stderr.split('\n').filter((line) => line.startsWith('✓'))).toEqual([]);
      }
    }
    expect(
      reported(new Error(words))
        .split('\n')
        .filter((line) => line.startsWith('✓')),
    ).toEqual([]);
  });

  test('is reported plainly where it was typed', async () => {
    if (words.includes('\0')) return;
    for (const args of [
      [words],
      ['render', '-f', words],
      ['schema', words],
      ['render', `--${words}`],
      ['graph', '-o', words],
    ]) {
      const { stdout, stderr, code } = await trunnion(args);
      expect(code).not.toBe(0);
      expect(unseenIn(stdout + stderr)).toEqual([]);
    }
  });
});

test.each([' \n', '  \n\n', '\t\n', '\n', '\n \n', ' ', ' x\n y', ' \nx', 'x\n \n'])(
  'the text %j, of blanks and newlines, is the same in YAML',
  (text) => {
    const data = { text, list: [text], [`${text}key`]: { in: [{ of: text }] } };
    for (const yaml of [structured('yaml', data), printManifests([data])]) expect(parse(yaml)).toEqual(data);
  },
);
