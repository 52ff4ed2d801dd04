import { parseSync } from 'oxc-parser';

/** A text that somebody reads. */
export interface Text {
  /** Where it begins in its file. */
  readonly at: number;
  readonly text: string;
}

/** The texts of a file of TypeScript. */
export interface Texts {
  /** Without their signs. */
  readonly comments: readonly Text[];
  /** Strings, templates and texts of elements of three words or more. Values stand as an ellipsis in a template. */
  readonly sentences: readonly Text[];
  /** Of tests and of groups of tests. */
  readonly titles: readonly Text[];
}

/** A part of the syntax tree of ESTree. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

interface Literal {
  readonly value: unknown;
  readonly quasis: readonly { readonly value: { readonly cooked: string | null } }[];
}

/** The texts of a program. */
export function textsOf(file: string, source: string): Texts {
  const { comments, program } = parseSync(file, source);
  const nodes = nodesIn(program as unknown as Node);
  return {
    comments: comments.map(({ value, start }) => ({
      at: start,
      text: value.replaceAll(/^\s*\*+/gm, ' ').replaceAll(/`[^`]*`/g, 'code'),
    })),
    sentences: nodes.flatMap(textAt).filter(({ text }) => wordsIn(text) >= 3),
    titles: nodes
      .filter(
        ({ type, start }) =>
          type === 'CallExpression' && /^(?:describe|it|test)\b/.test(source.slice(start, start + 9)),
      )
      .flatMap((call) => (call['arguments'] as readonly Node[]).slice(0, 1).flatMap(textAt)),
  };
}

/** The text of a page of Markdown, without code: a paragraph, an item, a heading or a cell each. */
export function paragraphsIn(source: string): readonly Text[] {
  const texts: { at: number; text: string }[] = [];
  let isCode = false;
  let open: { at: number; text: string } | undefined;
  let at = 0;
  for (const raw of source.split('\n')) {
    const start = at;
    at += raw.length + 1;
    if (/^\s*```/.test(raw)) isCode = !isCode;
    const isBreak = isCode || /^\s*(?:```|<|$)/.test(raw);
    if (isBreak || /^\s*(?:[-*#|]|\d+\.)/.test(raw)) open = undefined;
    if (isBreak) continue;
    const text = raw
      .replaceAll(/`[^`]*`/g, 'code')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .replace(/^\s*(?:[-*#]+|\d+\.)\s/, '');
    if (raw.startsWith('|')) {
      texts.push(...text.split('|').map((cell) => ({ at: start, text: cell.trim() })));
    } else if (open === undefined) {
      open = { at: start, text };
      texts.push(open);
    } else open.text += ` ${text.trim()}`;
  }
  return texts;
}

/** How many words the longest sentence of a text has. */
export const longestSentence = (text: string): number => Math.max(0, ...text.split(/[.!?:](?:\s|$)/).map(wordsIn));

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

/** The text of a string, a template or an element; none of another node. */
function textAt(node: Node): readonly Text[] {
  const { type, start: at, value, quasis } = node as Node & Partial<Literal>;
  if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') return [{ at, text: value }];
  if (type !== 'TemplateLiteral' || quasis === undefined) return [];
  return [{ at, text: quasis.map((part) => part.value.cooked ?? '').join('…') }];
}

function nodesIn(root: Node): readonly Node[] {
  const nodes: Node[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...(value as readonly unknown[]));
    else if (typeof value === 'object' && value !== null) {
      const isNode = typeof (value as Partial<Node>).type === 'string';
      if (isNode) nodes.push(value as Node);
      open.push(...Object.values(value));
    }
  }
  return nodes;
}
