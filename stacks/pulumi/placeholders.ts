import { SpecError, type Problem } from '../../constructs/index.ts';
import type { EventualText } from './inputs.ts';

/**
 * Two texts that may both stand for one that is not known yet: whatever differs between them was made of it. So they
 * differ in size as well where size may matter: an amount, or a range of addresses.
 */
interface Placeholder {
  readonly first: string;
  readonly second: string;
}

/** What stands for each eventual text until it is known. */
export type Placeholders = ReadonlyMap<EventualText, Placeholder>;

type Form = (index: number) => Placeholder;

/** What fits nearly everywhere: names, hosts, images, and text of any form. */
const NAME: Form = (index) => ({ first: `output-${index}`, second: `outputs-${index}` });

/**
 * The other forms that the schema knows: path, amount, address, range. There is no URI among them: its scheme decides
 * what is made, so it must be plain. The addresses are reserved for benchmarks.
 */
const OTHER_FORMS: readonly Form[] = [
  (index) => ({ first: `/output-${index}`, second: `/outputs-${index}` }),
  (index) => ({ first: `${101 + 2 * index}`, second: `${102 + 2 * index}Ti` }),
  (index) => ({ first: `198.18.${index}.1`, second: `198.19.${index}.1` }),
  (index) => ({ first: `198.18.${index}.0/24`, second: '0.0.0.0/0' }),
];

/**
 * Finds placeholders that the schema takes where they stand.
 *
 * @param subject - what is rendered: `ModelServing llama`
 * @param check - what is wrong with these texts in their places
 * @throws SpecError with all problems at once, among them one for each eventual text where only plain text can stand
 */
export function placeholdersFor(
  subject: string,
  texts: readonly EventualText[],
  check: (textOf: (text: EventualText) => string) => readonly Problem[],
): Placeholders {
  const problemsWith = (placeholders: Placeholders) => {
    const [first, second] = [check(placeholderOf(placeholders, 'first')), check(placeholderOf(placeholders, 'second'))];
    return first.length > 0 ? first : second;
  };
  let placeholders: Placeholders = chosen(texts, texts, NAME);
  const refusals = problemsWith(placeholders);
  let problems = refusals;
  for (const form of OTHER_FORMS) {
    const misfits = texts.filter((text) => problemAt(text, problems) !== undefined);
    if (misfits.length === 0) break;
    placeholders = new Map([...placeholders, ...chosen(texts, misfits, form)]);
    problems = problemsWith(placeholders);
  }
  if (problems.length === 0) return placeholders;
  throw new SpecError(subject, [
    ...problems.filter(({ path }) => !texts.some((text) => isSamePlace(text.path, path))),
    ...texts.flatMap((text) => (problemAt(text, problems) ? mustBePlain(problemAt(text, refusals)) : [])),
  ]);
}

/** The text that stands instead of an eventual one. */
export const placeholderOf =
  (placeholders: Placeholders, which: keyof Placeholder) =>
  (text: EventualText): string =>
    text.filledWith(placeholders.get(text)?.[which] ?? '');

/** Stand-ins of one form for some of the texts; a text's number makes them its own. */
const chosen = (texts: readonly EventualText[], some: readonly EventualText[], form: Form): Placeholders =>
  new Map(some.map((text) => [text, form(texts.indexOf(text))]));

const problemAt = (text: EventualText, problems: readonly Problem[]): Problem | undefined =>
  problems.find(({ path }) => isSamePlace(text.path, path));

/** The schema writes the keys of maps in brackets. */
const isSamePlace = (a: string, b: string): boolean => dotted(a) === dotted(b);

const dotted = (path: string): string => path.replaceAll(/\[([^[\]]*)\]/g, '.$1');

const mustBePlain = (problem: Problem | undefined): readonly Problem[] =>
  problem === undefined
    ? []
    : [
        {
          path: problem.path,
          message: `${problem.message} (got an Output, which may stand for text only; what is structure in a text must be plain, as in text\`s3://\${bucket}/llama/\`)`,
        },
      ];
