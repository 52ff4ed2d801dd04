/** A phrase that a reader has to read twice, and what to write. */
export interface Phrase {
  /** A regular expression without dots, in small letters: `sees to|see to`. */
  readonly not: string;
  readonly but: string;
}

/** Not in any sentence: pages, messages, help, comments and the titles of tests. */
export const EVERYWHERE: readonly Phrase[] = [
  { not: 'for want of|in want of', but: 'without, for lack of, because … is missing' },
  { not: 'to be had', but: 'available' },
  { not: 'put right|puts right', but: 'corrected, fixed' },
  { not: 'mend|mends|mended|mending', but: 'fix' },
  { not: 'sees to|see to', but: 'check, handle' },
  { not: 'goes on|go on|went on', but: 'continue' },
  { not: 'once more', but: 'again' },
  { not: 'anew', but: 'again; created again' },
  { not: 'for ever', but: 'forever' },
  { not: 'taken away|takes away|take away|took away', but: 'remove' },
  { not: 'wanted no more|needed no more|runs no more', but: 'no longer wanted' },
  { not: 'brought up to date|bring up to date|brings up to date', but: 'update' },
  { not: 'becomes of|became of|become of', but: 'happens to' },
  { not: 'hears of|heard of|hear of', but: 'learn of' },
  { not: 'speaks of|speak of', but: 'be about' },
  { not: 'comes by|came by|come by', but: 'get, reach' },
  { not: 'befalls|befall|befell', but: 'affect' },
  { not: 'makes do|make do|does without|do without', but: 'work without, not need' },
  { not: 'all the same', but: 'still' },
  { not: 'in vain', but: 'without success' },
  { not: 'in its place|in their place|in the place of', but: 'instead, instead of' },
  { not: 'turns out', but: 'prove' },
  { not: 'may well', but: 'may, can' },
  { not: 'unless told', but: 'by default' },
  { not: 'were it|be it', but: 'if' },
  { not: 'as it were', but: '' },
  { not: 'mind that|take note', but: 'say what to do' },
  { not: 'what is no(?! longer)', but: 'what is not a' },
  { not: 'upon', but: 'on' },
  { not: 'whoever|whomever|whosoever', but: 'anyone who' },
  { not: 'beforehand|hitherto|henceforth', but: 'before, until now, from now on' },
  { not: 'midst', but: 'middle, during' },
  { not: 'ought|shall', but: 'must' },
  { not: 'hence|thence|whence|thereby|whereby|therein|wherein|thereof|whereof', but: 'so, by which, of which' },
  { not: 'albeit|lest|nought|naught|inasmuch|insofar', but: 'although, so that not, nothing, since' },
  { not: 'e\\.g|i\\.e', but: 'for example, that is' },
];

/** Nor on a page, in a message or in help. */
export const FOR_USERS: readonly Phrase[] = [
  { not: 'as far as', but: 'the part that' },
  { not: 'whatever', but: 'any, regardless of' },
  { not: 'told of|tells of|tell of', but: 'report, list' },
  { not: 'nothing is left', but: 'all … are gone' },
  { not: 'comes to|came to', but: 'reach, end in' },
  { not: 'stands by', but: 'is on standby' },
];

/** Sentences that need one of the phrases: by the file, and some words of the sentence. */
export const EXCEPTIONS: readonly (readonly [file: string, words: string])[] = [
  // The name of a language.
  ['cluster/build.ts', 'there is no Go on PATH'],
];
