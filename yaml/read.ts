import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml';
import { type Anchored, Anchors } from './anchors.ts';
import { type Lines, refuseOddBreaks } from './breaks.ts';
import { YamlError } from './error.ts';
import { withIndentedFlow } from './flow-indent.ts';
import { type Part, partsOf } from './json-stream.ts';
import { keyText, scalarValue } from './scalar.ts';

/**
 * The values of the documents of a text, as `kubectl` reads them. Where kubectl keeps the last of several, or cuts a number,
 * it is refused.
 *
 * @throws YamlError with the line, for what is not YAML, and for what is ambiguous in JSON
 */
export function readYaml(text: string): unknown[] {
  try {
    return partsOf(withoutMarks(text)).flatMap(valuesOf);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new YamlError('it is nested too deeply', { cause: error });
  }
}

/** A text without the byte order marks that documents begin with, where files were put together. Its lines are the same. */
const withoutMarks = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll(/^(---[^\S\n]*\n)\uFEFF/gm, '$1');

/** The values of the documents of a part. */
function valuesOf({ text, linesBefore }: Part): readonly unknown[] {
  let counter = new LineCounter();
  const parse = (each: string): readonly Document[] => {
    counter = new LineCounter();
    return Array.from(parseAllDocuments(each, { ...OPTIONS, lineCounter: counter }), (document): Document => document);
  };
  const { text: read, documents } = withIndentedFlow(text, parse);
  const lines: Lines = {
    linePos: (offset) => {
      const { line, col } = counter.linePos(offset);
      return { line: line + linesBefore, col };
    },
  };
  refuseOddBreaks(read, documents, lines);
  return documents.map((document) => new Reader(document, lines).value());
}

const OPTIONS = {
  schema: 'failsafe',
  resolveKnownTags: false,
  uniqueKeys: false,
  logLevel: 'silent',
  // An excerpt for each of many errors takes long; one error is told, by its place.
  prettyErrors: false,
} as const;

type Entries = Map<string, unknown>;

/** Reads one document, from its beginning to its end: an alias means the anchor of that name before it. */
class Reader {
  readonly #document: Document;
  readonly #lines: Lines;
  readonly #anchors = new Anchors();

  constructor(document: Document, lines: Lines) {
    this.#document = document;
    this.#lines = lines;
  }

  value(): unknown {
    const [error] = this.#document.errors;
    if (error !== undefined) {
      const { line, col } = this.#lines.linePos(error.pos[0]);
      throw new YamlError(`${error.message} at line ${line}, column ${col}`);
    }
    const { explicit, version } = this.#document.directives?.yaml ?? {};
    if (explicit === true && version !== '1.1') {
      throw new YamlError(`its directive says YAML ${version}; Kubernetes reads YAML 1.1: leave out the line %YAML`);
    }
    const { contents } = this.#document;
    return contents === null ? null : this.#value(contents);
  }

  #value(node: unknown): unknown {
    return this.#read(node).value;
  }

  #read(node: unknown): Anchored {
    if (node === null || node === undefined) return { value: null, size: 1 };
    if (isAlias(node)) return this.#anchors.use(node.source, () => this.#where(node));
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) throw new YamlError('it is no YAML');
    const close = this.#anchors.open(node.anchor);
    return close(this.#valueOf(node));
  }

  #valueOf(node: Node): unknown {
    if (isScalar(node)) return scalarValue(node, () => this.#where(node));
    if (isSeq(node)) return node.items.map((item) => this.#value(item));
    const entries: Entries = new Map();
    if (isMap(node)) this.#fill(entries, node.items);
    return Object.fromEntries(entries);
  }

  /** Of what is merged and what is written, the later one counts. Two that are written are one too many. */
  #fill(entries: Entries, pairs: readonly { readonly key: unknown; readonly value: unknown }[]): void {
    const written = new Set<string>();
    for (const { key, value } of pairs) {
      if (isMergeKey(key)) {
        this.#merge(entries, value);
        continue;
      }
      const where = () => this.#where(key ?? value);
      const name = keyText(this.#value(key), where);
      if (written.has(name)) {
        throw new YamlError(`${where()}the key ${JSON.stringify(name)} stands twice in one map: leave one`);
      }
      written.add(name);
      entries.set(name, this.#value(value));
    }
  }

  #merge(entries: Entries, node: unknown): void {
    const value = this.#value(node);
    const sources: readonly unknown[] = isSeq(node) ? (value as unknown[]).toReversed() : [value];
    for (const source of sources) {
      if (typeof source !== 'object' || source === null || Array.isArray(source)) {
        throw new YamlError(`${this.#where(node)}<< takes a map or a list of maps (got ${JSON.stringify(source)})`);
      }
      for (const [name, merged] of Object.entries(source)) entries.set(name, merged);
    }
  }

  #where(node: unknown): string {
    const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
    return Array.isArray(range) ? `line ${this.#lines.linePos(Number(range[0])).line}: ` : '';
  }
}

const isMergeKey = (key: unknown): boolean =>
  isScalar(key) &&
  key.value === '<<' &&
  ((key.type === 'PLAIN' && key.tag === undefined) || key.tag === 'tag:yaml.org,2002:merge');
