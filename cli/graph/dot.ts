import { plainText } from '../../constructs/parts/values/index.ts';
import type { Graph, GraphNode } from './graph.ts';
import { keyOf, type ObjectRef } from './relations.ts';
import { COLOURS } from '../colours.ts';

/** What the lines mean, told below the graphs. */
const LEGEND = 'solid: what has to do with what; dashed: what must be ready before what; bold: both';

/** Graphs in the language of Graphviz. An object that is in none of them stands outside. */
export function graphsDot(graphs: readonly Graph[]): string {
  const ids = new Map<string, string>();
  for (const [index, { namespace, nodes }] of graphs.entries())
    for (const { kind, name, id } of nodes) ids.set(keyOf({ kind, namespace, name }), `${index}/${id}`);
  const idOf = (ref: ObjectRef) => ids.get(keyOf(ref)) ?? `outside/${keyOf(ref)}`;
  const relations = graphs.flatMap((graph) => graph.relations);
  const outside = new Map(
    relations.flatMap(({ from, to }) =>
      [from, to].filter((ref) => !ids.has(keyOf(ref))).map((ref) => [idOf(ref), ref]),
    ),
  );
  const verbs = new Map(relations.map(({ from, to, verb }) => [`${quoted(idOf(from))} -> ${quoted(idOf(to))}`, verb]));
  const order = new Set(
    graphs.flatMap(({ nodes }, index) =>
      nodes.flatMap(({ id, after }) =>
        after.map((other) => `${quoted(`${index}/${other}`)} -> ${quoted(`${index}/${id}`)}`),
      ),
    ),
  );
  const lines = [
    'rankdir=LR',
    `bgcolor="${COLOURS.ground}"`,
    'fontname=Courier',
    `fontcolor="${COLOURS.muted}"`,
    'ranksep=1',
    `label=${quoted(LEGEND)}`,
    `node [shape=box style="rounded,filled" fontname=Courier fontsize=12 fillcolor="${COLOURS.box}" color="${COLOURS.main}" fontcolor="${COLOURS.text}"]`,
    `edge [fontname=Courier fontsize=10 color="${COLOURS.edge}" fontcolor="${COLOURS.muted}"]`,
    ...graphs.flatMap((graph, index) => cluster(graph, index)),
    ...[...outside].map(
      ([id, { kind, name }]) =>
        `${quoted(id)} [label=${quoted(`${kind}\n${name}\nnot among these objects`)} style="rounded,dashed"]`,
    ),
    ...[...verbs].map(([edge, verb]) => `${edge} [label=${quoted(verb)}${order.has(edge) ? ' penwidth=2' : ''}]`),
    ...[...order].filter((edge) => !verbs.has(edge)).map((edge) => `${edge} [style=dashed]`),
  ];
  return `digraph {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

const cluster = ({ kind, namespace, name, nodes }: Graph, index: number): readonly string[] => [
  `subgraph cluster_${index} {`,
  // At the left, lines from objects outside cross it less often.
  `  label=${quoted(`${kind} ${namespace}/${name}`)} labeljust=l fontsize=16 fontcolor="${COLOURS.text}" color="${COLOURS.frame}"`,
  ...nodes.map(
    (node) =>
      `  ${quoted(`${index}/${node.id}`)} [label=${quoted(labelOf(node))}${node.notes.length > 0 ? ' style="rounded,filled,dashed"' : ''}]`,
  ),
  // Graphviz draws no cluster without a node.
  ...(nodes.length === 0 ? [`  ${quoted(`${index}`)} [label="no objects" shape=plaintext style=""]`] : []),
  '}',
];

const labelOf = ({ kind, name, details, notes }: GraphNode): string => [kind, name, ...details, ...notes].join('\n');

/** A line break is written as `\n`, as Graphviz wants it. */
const quoted = (text: string): string =>
  `"${plainText(text, { lines: true })
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)}"`;
