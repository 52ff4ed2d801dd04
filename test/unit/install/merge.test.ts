import { expect, test } from 'vitest';
import { entriesOf } from '../../../stacks/operator/chart/merge.ts';
import { symbol, type Switch } from '../../../stacks/operator/chart/symbols.ts';
import { templateOf } from '../../../stacks/operator/chart/template.ts';

const switchOf = (name: string): Switch => ({ expression: `.Values.${name}`, path: [name], off: '' });
const [a, b] = [switchOf('a'), switchOf('b')];

/** A file's content, by whether `a` and `b` are on. */
type Content = (on: { readonly a: boolean; readonly b: boolean }) => unknown;

/** The template of that file. */
function templateFor(content: Content): string {
  const entries = entriesOf((off) => ({ file: content({ a: !off.includes(a), b: !off.includes(b) }) }), [a, b]);
  return entries.map(({ value, when }) => templateOf(value, when)).join('---\n');
}

test.for([
  ['what is always the same is written as it is', () => ({ x: 1, y: ['z'] }), 'x: 1\n"y":\n  - z\n'],
  ['a value takes the place of its symbol', () => ({ x: symbol('.Values.x') }), 'x: {{ .Values.x | quote }}\n'],
  ['a number is none in quotes', () => ({ x: symbol('int .Values.x') }), 'x: {{ int .Values.x }}\n'],
  [
    'text around symbols stays',
    () => ({ x: `100%: ${symbol('.Values.x')}` }),
    'x: {{ printf "100%%: %s" .Values.x | quote }}\n',
  ],
  ['braces that are text are no template', () => ({ x: 'a {{ b' }), 'x: a {{ "{{" }} b\n'],
  [
    'a list of the values is spread into another',
    () => ({ x: ['first', { [symbol('.Values.x')]: '' }] }),
    'x:\n  - first\n  {{- toYaml .Values.x | nindent 2 }}\n',
  ],
  [
    'a field comes with its switch',
    ({ a }) => ({ x: 1, ...(a && { y: 2 }) }),
    'x: 1\n{{- if .Values.a }}\n"y": 2\n{{- end }}\n',
  ],
  [
    'an item goes with its switch',
    ({ a }) => ['x', ...(a ? [] : ['y'])],
    '- x\n{{- if not .Values.a }}\n- "y"\n{{- end }}\n',
  ],
  [
    'what needs two switches stands under both',
    ({ a, b }) => ({ x: 1, ...(a && b && { y: 2 }) }),
    'x: 1\n{{- if .Values.a }}\n{{- if .Values.b }}\n"y": 2\n{{- end }}\n{{- end }}\n',
  ],
  [
    'a text that follows from two switches has each of its forms',
    ({ a, b }) => ({ x: a ? 'on' : b ? 'half' : 'off' }),
    ['{{- if .Values.a }}', 'x: "on"', '{{- else }}', '{{- if .Values.b }}', 'x: half', '{{- else }}', 'x: "off"']
      .concat('{{- end }}', '{{- end }}', '')
      .join('\n'),
  ],
] satisfies readonly (readonly [string, Content, string])[])('%s', ([, content, expected]) => {
  expect(templateFor(content)).toBe(expected);
});

test('an empty selector stays one, and is none that has lost its fields', () => {
  expect(templateFor(({ a }) => ({ x: a ? { y: 1 } : {} }))).toBe(
    '{{- if .Values.a }}\nx:\n  "y": 1\n{{- else }}\nx: {}\n{{- end }}\n',
  );
});

test('a whole file comes with its switch', () => {
  const entries = entriesOf((off) => (off.includes(a) ? { other: 1 } : { file: 1 }), [a]);
  expect(entries.map(({ key, when }) => [key, when])).toEqual([
    ['other', [{ expression: '.Values.a', on: false }]],
    ['file', [{ expression: '.Values.a', on: true }]],
  ]);
});
