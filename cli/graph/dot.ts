import { plainText } from '../../constructs/parts/values/index.ts';
import type { Graph, GraphNode } from './graph.ts';

/** Graphs in the language of Graphviz. */
export function graphsDot(graphs: readonly Graph[]): string {
  const clusters = graphs.map(({ kind, namespace, name, nodes }, index) => {
    const idOf = (id: string) => quoted(`${index}/${id}`);
    return [
      `  subgraph cluster_${index} {`,
      `    label=${quoted(`${kind} ${namespace}/${name}`)}`,
      ...nodes.map((node) => `    ${idOf(node.id)} [label=${quoted(labelOf(node))}]`),
      ...nodes.flatMap(({ id, after }) => after.map((other) => `    ${idOf(other)} -> ${idOf(id)}`)),
      '  }',
    ].join('\n');
  });
  return `digraph {\n  rankdir=LR\n  node [shape=box fontname=monospace]\n${clusters.join('\n')}\n}\n`;
}

const labelOf = ({ kind, name, notes }: GraphNode): string => [kind, name, ...notes].join('\n');

/** A line break is written as `\n`, as Graphviz wants it. */
const quoted = (text: string): string =>
  `"${plainText(text, { lines: true })
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)}"`;
