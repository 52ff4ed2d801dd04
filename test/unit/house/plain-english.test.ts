import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVERYWHERE, EXCEPTIONS, FOR_USERS, type Phrase } from './support/phrases.data.ts';
import { longestSentence, paragraphsIn, type Text, textsOf } from './support/prose.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** What users run or import; the rest is read by those who change the code. */
const FOR_USERS_FOLDERS =
  /^(?:certificates|cli|cluster|constructs|crds|fetcher|operator|scripts|stacks|testing|tuning|yaml|bench|examples)\//;

/** Generated files follow from what is checked; the change log is history; some tables list what not to write. */
const LEFT_OUT = /\.generated\.ts$|^docs\/reference\/|^docs\/glossary\.md$|^CHANGELOG\.md$|^test\/unit\/house\//;

/** Words of a sentence on a page. */
const LONGEST_SENTENCE = 35;

const patternOf = ({ not }: Phrase): RegExp => new RegExp(`(?<![\\w-])(?:${not})(?![\\w-])`, 'i');

const finder = (phrases: readonly Phrase[]) => {
  const patterns = phrases.map((phrase) => [phrase, patternOf(phrase)] as const);
  return (text: string): readonly Phrase[] =>
    patterns.flatMap(([phrase, pattern]) => (pattern.test(text) ? phrase : []));
};

const everywhere = finder(EVERYWHERE);
const forUsers = finder([...EVERYWHERE, ...FOR_USERS]);

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

interface Source {
  readonly file: string;
  readonly source: string;
}

const place = ({ file, source }: Source, { at, text }: Text): string =>
  `${file}:${source.slice(0, at).split('\n').length}: ${flat(text).slice(0, 160)}`;

/** The findings in some texts of a file, a line each. */
const findings = (
  source: Source,
  texts: readonly Text[],
  find: (text: string) => readonly Phrase[],
): readonly string[] =>
  texts
    .filter(({ text }) => !EXCEPTIONS.some(([file, words]) => file === source.file && flat(text).includes(words)))
    .flatMap((text) =>
      find(flat(text.text)).map(({ not, but }) => `not "${not}", but "${but}": ${place(source, text)}`),
    );

/** The table of CONTRIBUTING has sentences that are not to be written. */
const withoutPairs = (page: string): string => page.replace(/^\| Not \| But \|\n(?:\|.*\n)+/m, '');

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !LEFT_OUT.test(file))
  .map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') }));
const pages = files
  .filter(({ file }) => file.endsWith('.md'))
  .map(({ file, source }) => ({ file, source, texts: paragraphsIn(withoutPairs(source)) }));
const programs = files
  .filter(({ file }) => /\.tsx?$/.test(file))
  .map(({ file, source }) => ({ file, source, texts: textsOf(file, source) }));

describe('plain English', () => {
  it('on every page', () => {
    expect(pages.flatMap((page) => findings(page, page.texts, forUsers))).toEqual([]);
  });

  it(`on every page, in sentences of at most ${LONGEST_SENTENCE} words`, () => {
    const long = pages.flatMap((page) =>
      page.texts.filter(({ text }) => longestSentence(flat(text)) > LONGEST_SENTENCE).map((text) => place(page, text)),
    );
    expect(long).toEqual([]);
  });

  it('in every message, log entry and line of help', () => {
    const shown = programs.filter(({ file }) => FOR_USERS_FOLDERS.test(file));
    expect(shown.flatMap((program) => findings(program, program.texts.sentences, forUsers))).toEqual([]);
  });

  it('in every comment, and in every title of a test', () => {
    const found = programs.flatMap((program) => {
      const { comments, titles } = program.texts;
      return findings(program, [...comments, ...titles], everywhere);
    });
    expect(found).toEqual([]);
  });

  it('has no exception for a sentence that is gone', () => {
    const gone = EXCEPTIONS.filter(([of, words]) => {
      const found = files.find(({ file }) => file === of);
      return found === undefined || !flat(found.source).includes(words);
    });
    expect(gone).toEqual([]);
  });
});

describe('the check of plain English', () => {
  it.each([
    ['The volume is made anew.', ['anew']],
    ['Anew it begins', ['anew']],
    ['The pod was killed for want of memory.', ['for want of']],
    ['It is created again, and continues.', []],
    ['`renew` and `manew` are other words', []],
  ] as const)('finds in %j the phrases %j', (text, found) => {
    expect(everywhere(text).map(({ not }) => not.split('|')[0])).toEqual(found);
  });

  it('reads the comments, the messages and the titles of a program', () => {
    const source = `/** It sees\n * to that. */\nconst a = \`\${b} goes on forever\`; // Hence.\nit.each([1])('is %s anew', () => f('x'));`;
    const { comments, sentences, titles } = textsOf('a.ts', source);
    expect(comments.map(({ text }) => flat(text))).toEqual(['It sees to that.', 'Hence.']);
    expect(sentences.map(({ text }) => text)).toEqual(['is %s anew', '… goes on forever']);
    expect(titles).toEqual([{ at: source.indexOf("'is %s anew'"), text: 'is %s anew' }]);
  });

  it('reads the texts of elements', () => {
    const { sentences } = textsOf('a.tsx', '<p class="a b c">It goes {b} on and on <i>upon</i></p>;');
    expect(sentences.map(({ text }) => flat(text)).toSorted()).toEqual(['a b c', 'on and on']);
  });

  it('reads the paragraphs, items and cells of a page, and none of its code', () => {
    const page =
      '# Head\n\nOne `upon` line\nand the next.\n\n- an item\n\n```ts\nupon();\n```\n\n| a | [b](upon.md) |\n';
    expect(paragraphsIn(page).map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Head', 'One code line and the next.', 'an item', 'a', '[b]']),
    );
    expect(paragraphsIn(page).some(({ text }) => text.includes('upon'))).toBe(false);
  });

  it('counts the words of the longest sentence', () => {
    expect(longestSentence('One two. Three four five: six; seven')).toBe(3);
  });
});
