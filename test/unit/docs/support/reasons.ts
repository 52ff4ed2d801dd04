import { globSync, readFileSync } from 'node:fs';

/** Where reasons are given. */
const SOURCES = ['operator/kinds/**/*.ts', 'operator/engine/**/*.ts'];

/** A word that can be a reason. */
const WORD = "'([A-Z][A-Za-z]+)'";

/** Functions that take a reason first: `const holds = (reason: string, …`. */
const TAKERS = /(?:const|function) (\w+)(?: =)? ?\(\s*reason: string/g;

/** Functions that find one: `function reasonOfEnd(…) {…}`. */
const FINDERS = /^(?:export )?function reasonOf\w*\(.*?^}/gms;

/** What must not be read as a reason that is given: what is compared with one. */
const COMPARED = /[!=]== '\w+'/g;

const texts = SOURCES.flatMap((pattern) => globSync(pattern)).map((file) => readFileSync(file, 'utf8'));

const namesIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(([, ...names]) => names.filter((name) => name !== undefined));

/** Functions that take a reason, of all files: some are imported. */
const takers = texts.flatMap((text) => namesIn(text, TAKERS));

/** All reasons that the source of the operator can give. */
export function reasonsInSource(): ReadonlySet<string> {
  return new Set(texts.flatMap(reasonsIn));
}

function reasonsIn(text: string): readonly string[] {
  const taken = new RegExp(`\\b(?:${takers.join('|')})\\(\\s*${WORD}`, 'g');
  const found = [...text.matchAll(FINDERS)].flatMap(([body]) => [
    ...namesIn(body.replaceAll(COMPARED, ''), new RegExp(WORD, 'g')),
    ...tablesOf(text, body),
  ]);
  return [
    ...namesIn(text, new RegExp(`\\breason(?::| =) ${WORD}`, 'g')),
    ...namesIn(text, taken),
    ...found,
    ...(/reason: PAUSED\b/.test(text) ? ['Paused'] : []),
  ];
}

/** The words of the tables that a function looks into: `NAMED[exitCode]`. */
const tablesOf = (text: string, body: string): readonly string[] =>
  namesIn(body, /\b([A-Z]+)\[/g).flatMap((table) => {
    const [, rows = ''] = new RegExp(`^const ${table}\\b.*?= {(.*?)^};`, 'ms').exec(text) ?? [];
    return namesIn(rows, new RegExp(WORD, 'g'));
  });

/** The forms in which reasons stand that nobody reads: each must be one that is read, or hand one on. */
export const unreadForms = (): readonly string[] =>
  texts.flatMap((text) =>
    [...text.matchAll(/\breason: ([^\n]*)/g)]
      .map(([, value = '']) => value)
      .filter((value) => !READ.some((form) => form.test(value))),
  );

const READ: readonly RegExp[] = [
  /^'[A-Z]\w+'/,
  // Types.
  /^(string|StallReason|text\()/,
  // Handed on: `finding.reason`, `reasonOf(error)`, or where it is another name of what is there.
  /^\w+(\.\w+)*\.reason\b/,
  /^reasonOf\w*\(/,
  /^(reason === '' \? type : reason|phase|PAUSED),/,
];
