import { describe, expect, test } from 'vitest';
import { graphsOf, type Graph } from '../../../cli/graph/graph.ts';
import { graphsDot } from '../../../cli/graph/dot.ts';
import { graphsSvg } from '../../../cli/graph/svg.ts';
import { trunnion } from '../../support/trunnion.ts';
import { widget } from '../../support/widget.ts';
import { live } from './support/objects.ts';

const resource = { ...live('test.trunnion.dev/v1', 'Widget', 'llama'), spec: { message: '', job: true, keep: true } };
const graph: Graph = graphsOf([
  { kind: widget, resource, children: widget.render(resource, { draining: false }) },
])[0] ?? { kind: '', namespace: '', name: '', nodes: [], relations: [] };

test('an object knows its wave, what it waits for, and what is special about it', () => {
  expect(graph.nodes.map(({ id, wave, after, notes }) => ({ id, wave, after, notes }))).toEqual([
    { id: 'config', wave: 0, after: [], notes: [] },
    { id: 'claim', wave: 0, after: [], notes: ['outlives it'] },
    { id: 'job', wave: 1, after: ['config'], notes: [] },
    { id: 'deployment', wave: 2, after: ['job'], notes: ['others own spec.replicas'] },
    { id: 'service', wave: 0, after: [], notes: [] },
  ]);
});

describe('as an image', () => {
  test('text is escaped', async () => {
    const hostile: Graph = { ...graph, name: '<script>&"', nodes: [], relations: [] };
    const image = await graphsSvg([hostile]);
    expect(image).toContain('models/&lt;script&gt;&amp;&quot;</text>');
    expect(image).not.toContain('<script>');
  });

  test('each object is a box, and its colours have others for a dark screen', async () => {
    const image = await graphsSvg([graph, graph]);
    expect(image.match(/class="node"/g)).toHaveLength(10);
    expect(image.match(/class="cluster"/g)).toHaveLength(2);
    const [, dark = ''] = /@media \(prefers-color-scheme: dark\)\{(.*)\}<\/style>/.exec(image) ?? [];
    const used = new Set([...image.matchAll(/ (?:fill|stroke)="(#[^"]+)"/g)].map(([, colour]) => colour));
    expect([...used].filter((colour) => !dark.includes(`[fill="${colour}"]`))).toEqual([]);
    expect(image).not.toContain('black');
  });
});

test('for Graphviz, names are distinguished by resource, and quotes are escaped', () => {
  const dot = graphsDot([graph, { ...graph, name: 'a "b"', nodes: graph.nodes.slice(0, 1) }]);
  expect(dot).toContain('  "0/config" -> "0/job"');
  expect(dot).toContain(
    '    "0/claim" [label="PersistentVolumeClaim\\nllama\\noutlives it" style="rounded,filled,dashed"]\n',
  );
  expect(dot).toContain(
    '    label="Widget models/a \\"b\\"" labeljust=l fontsize=16 fontcolor="#1f2328" color="#afb8c1"\n    "1/config" [label="ConfigMap\\nllama"]\n',
  );
});

test('every example is drawn, twice the same', async () => {
  const draw = () => trunnion(['graph', '-f', 'examples/model-serving.yaml']);
  const { code, stdout, stderr } = await draw();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*Deployment[^]*<\/svg>\n$/);
  expect((await draw()).stdout).toBe(stdout);
});

test('as JSON, it is the same for programs', async () => {
  const { stdout } = await trunnion(['graph', '-f', 'examples/distributed-training.yaml', '-o', 'json']);
  const [first]: Graph[] = JSON.parse(stdout);
  expect(first).toMatchObject({
    kind: 'DistributedTraining',
    name: 'resnet',
    nodes: expect.arrayContaining([expect.objectContaining({ kind: 'Job' })]),
  });
});

test('an image of more objects than can be laid out in time is refused, with what to do', async () => {
  const nodes = Array.from({ length: 3_001 }, (_, index) => ({ id: `${index}` }));
  await expect(graphsSvg([{ nodes } as unknown as Graph])).rejects.toThrow(
    'an image is of at most 3000 objects, and these are 3001: draw fewer resources at a time, or take -o dot',
  );
});
