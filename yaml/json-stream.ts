import { YamlError } from './error.ts';

/** A part of a text that is read for itself, and how many lines are before it. */
export interface Part {
  readonly text: string;
  readonly linesBefore: number;
}

/**
 * The parts of a text that begins with a brace: JSON values one behind the other, with or without blanks between them, and
 * the rest, which is YAML. As YAMLOrJSONDecoder has it (kubernetes/apimachinery eed236ce, pkg/util/yaml/decoder.go): what is not JSON
 * is YAML from there on, unless two values were JSON before it.
 *
 * @throws YamlError where two values or more are JSON, and what follows is not
 */
export function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let [at, linesBefore] = [0, 0];
  const take = (to: number): Part => {
    const part = { text: text.slice(at, to), linesBefore };
    linesBefore += countOfLines(part.text);
    at = to;
    return part;
  };
  if (text[afterBlanks(text, 0)] !== '{') return [take(text.length)];
  for (;;) {
    const start = afterBlanks(text, at);
    if (start === text.length) return parts;
    const end = endOfJson(text, start);
    if (end === undefined) break;
    take(start);
    parts.push(take(end));
  }
  if (parts.length > 1) {
    take(afterBlanks(text, at));
    throw new YamlError(
      `line ${linesBefore + 1}: it is no JSON, as the ${parts.length} values before it are: correct it, or begin each document with a line ---`,
    );
  }
  // The indentation of the first line counts.
  if (parts.length > 0) take(Math.min(afterBlankLineEnd(text, at), text.length));
  return [...parts, take(text.length)];
}

const countOfLines = (text: string): number => text.split('\n').length - 1;

const BLANKS = new Set(' \t\r\n');

/** Where the blanks end that JSON may have between values. */
function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANKS.has(text.charAt(at))) at += 1;
  return at;
}

/** Where what follows a value begins: behind the end of its line, where nothing else is in it. */
function afterBlankLineEnd(text: string, from: number): number {
  const line = text.indexOf('\n', from);
  const end = afterBlanks(text, from);
  return line === -1 || end < line ? end : line + 1;
}

/** Where the object or list ends that begins at a place; undefined where it is no JSON. */
function endOfJson(text: string, start: number): number | undefined {
  if (!'{['.includes(text.charAt(start))) return undefined;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return isJson(text.slice(start, at + 1)) ? at + 1 : undefined;
  }
  return undefined;
}

/** Where a text in double quotes has its last one. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
