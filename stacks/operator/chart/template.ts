import { isDeepStrictEqual } from 'node:util';
import { printYaml } from '../../../yaml/print.ts';
import type { Condition, Entry, Tree } from './merge.ts';
import { expressionOf, isNumber, partsOf } from './symbols.ts';

type Lines = readonly string[];

/** A tree as the text of a Helm template. */
export const templateOf = (tree: Tree, when: readonly Condition[]): string =>
  `${guarded(when, '', lines(tree, '')).join('\n')}\n`;

/** A value that begins on a line of its own. */
function lines(tree: Tree, indent: string): Lines {
  if (tree.is === 'plain') return plain(tree.value, indent);
  if (tree.is === 'text') return [`${indent}${text(String(tree.value))}`];
  if (tree.is === 'choice') return either(tree.by, indent, lines(tree.on, indent), lines(tree.off, indent));
  const line = tree.is === 'map' ? field : item;
  return togetherBy(tree.entries).flatMap(({ when, entries }) =>
    guarded(
      when,
      indent,
      entries.flatMap((entry) => line(entry, indent)),
    ),
  );
}

/** Neighbours that stand under the same conditions. */
function togetherBy(
  entries: readonly Entry[],
): readonly { readonly when: readonly Condition[]; readonly entries: Entry[] }[] {
  const groups: { readonly when: readonly Condition[]; readonly entries: Entry[] }[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last !== undefined && isDeepStrictEqual(last.when, entry.when)) last.entries.push(entry);
    else groups.push({ when: entry.when, entries: [entry] });
  }
  return groups;
}

function field({ key, value }: Entry, indent: string): Lines {
  const values = expressionOf(key);
  if (values !== undefined) return [spliced(values, indent)];
  if (value.is === 'plain') return plain({ [key]: value.value }, indent);
  if (value.is === 'text') return [`${indent}${key}: ${text(String(value.value))}`];
  if (value.is === 'choice') {
    const as = (tree: Tree) => field({ key, value: tree, when: [] }, indent);
    return either(value.by, indent, as(value.on), as(value.off));
  }
  return [`${indent}${key}:`, ...lines(value, `${indent}  `)];
}

function item({ value }: Entry, indent: string): Lines {
  if (value.is === 'plain') return plain([value.value], indent);
  const values = value.is === 'map' ? expressionOf(value.entries[0]?.key ?? '') : undefined;
  if (values !== undefined) return [spliced(values, indent)];
  const [first = '', ...rest] = lines(value, `${indent}  `);
  // A dash can't stand before a condition, only above it.
  const isCondition = first.trimStart().startsWith('{{-');
  return isCondition ? [`${indent}-`, first, ...rest] : [`${indent}- ${first.trimStart()}`, ...rest];
}

/** The fields or items of a value, among those of the list or map that it is spread into. */
const spliced = (expression: string, indent: string): string =>
  `${indent}{{- toYaml ${expression} | nindent ${indent.length} }}`;

const plain = (value: unknown, indent: string): Lines =>
  printYaml(value)
    .trimEnd()
    // Helm would read braces as its own.
    .replaceAll('{{', '{{ "{{" }}')
    .split('\n')
    .map((line) => (line === '' ? line : `${indent}${line}`));

/** Text with symbols: `{{ printf "%s:%s" .Values.image.repository .Values.image.tag | quote }}`. */
function text(value: string): string {
  const only = expressionOf(value);
  if (only !== undefined) return isNumber(only) ? `{{ ${only} }}` : `{{ ${only} | quote }}`;
  const parts = partsOf(value);
  const format = parts.map((part, index) => (index % 2 === 1 ? '%s' : part.replaceAll('%', '%%'))).join('');
  const expressions = parts.filter((_, index) => index % 2 === 1);
  return `{{ printf ${JSON.stringify(format)} ${expressions.join(' ')} | quote }}`;
}

const guarded = (when: readonly Condition[], indent: string, body: Lines): Lines =>
  when.reduceRight((inner, { expression, on }) => {
    return [
      `${indent}{{- if ${on ? expression : `not ${isNumber(expression) ? `(${expression})` : expression}`} }}`,
      ...inner,
      `${indent}{{- end }}`,
    ];
  }, body);

const either = (by: string, indent: string, on: Lines, off: Lines): Lines => [
  `${indent}{{- if ${by} }}`,
  ...on,
  `${indent}{{- else }}`,
  ...off,
  `${indent}{{- end }}`,
];
