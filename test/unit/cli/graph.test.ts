import { describe, expect, test } from 'vitest';
import { graphOf, type Graph } from '../../../cli/graph/graph.ts';
import { graphsDot } from '../../../cli/graph/dot.ts';
import { graphsSvg } from '../../../cli/graph/svg.ts';
import { trunnion } from '../../support/trunnion.ts';
import { widget } from '../../support/widget.ts';
import { live } from './support/objects.ts';

const resource = { ...live('test.trunnion.dev/v1', 'Widget', 'llama'), spec: { message: '', job: true, keep: true } };
const graph = graphOf({ resource, children: widget.render(resource, { draining: false }) });

test('an object stands in the column after the last of those that it waits for', () => {
  expect(graph.nodes.map(({ id, wave, after, notes }) => ({ id, wave, after, notes }))).toEqual([
    { id: 'config', wave: 0, after: [], notes: [] },
    { id: 'claim', wave: 0, after: [], notes: ['outlives it'] },
    { id: 'job', wave: 1, after: ['config'], notes: [] },
    { id: 'deployment', wave: 2, after: ['job'], notes: ['others own spec.replicas'] },
    { id: 'service', wave: 0, after: [], notes: [] },
  ]);
});

describe('as an image', () => {
  test('objects are boxes, and arrows lead from what must be ready to what waits for it', () => {
    expect(graphsSvg([graph])).toMatchSnapshot();
  });

  test('text is escaped', () => {
    const hostile: Graph = { ...graph, name: '<script>&"', nodes: [] };
    const image = graphsSvg([hostile]);
    expect(image).toContain('models/&lt;script&gt;&amp;&quot;</text>');
    expect(image).not.toContain('<script>');
  });

  test('the boxes of a column do not overlap, and resources stand one below the other', () => {
    const image = graphsSvg([graph, graph]);
    const tops = [...image.matchAll(/<rect x="0" y="(\d+)" width="\d+" height="(\d+)"/g)].map(([, y, height]) => [
      Number(y),
      Number(height),
    ]);
    expect(tops).toHaveLength(6);
    const [first = [], second = []] = tops;
    expect(second[0]).toBeGreaterThan((first[0] ?? 0) + (first[1] ?? 0));
    expect(new Set([...image.matchAll(/translate\(24,(\d+)\)/g)].map(([, y]) => y)).size).toBe(2);
  });
});

test('for Graphviz, names are distinguished by resource, and quotes are escaped', () => {
  const dot = graphsDot([graph, { ...graph, name: 'a "b"', nodes: graph.nodes.slice(0, 1) }]);
  expect(dot).toContain('    "0/config" -> "0/job"\n');
  expect(dot).toContain('    "0/claim" [label="PersistentVolumeClaim\\nllama\\noutlives it"]\n');
  expect(dot).toContain('    label="Widget models/a \\"b\\""\n    "1/config" [label="ConfigMap\\nllama"]\n');
});

test('every example is drawn, twice the same', async () => {
  const draw = () => trunnion(['graph', '-f', 'examples/model-serving.yaml']);
  const { code, stdout, stderr } = await draw();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^]*Deployment[^]*<\/svg>\n$/);
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
