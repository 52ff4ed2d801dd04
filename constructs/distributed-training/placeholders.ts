import { literal } from '../parts/values/index.ts';
import type { TrialState } from './state.ts';

/** A place `${NAME}`; those of no parameter are left to shells. */
const PLACE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * What is minded in a word whose places are marked by U+FFFF, which is no character: places, a "$" before one, and what the
 * kubelet minds. An alternative stands before those that begin as it does: the kubelet reads from left to right, once.
 */
const CLOSED = /\uFFFF(\w+)\uFFFF|\$(?=\uFFFF)|\$\$|\$\([^)]*\)/g;
const OPEN = /\uFFFF(\w+)\uFFFF|\$(?=\uFFFF)|\$\$|\$\(/g;
const TEXT = /\uFFFF(\w+)\uFFFF|\$/g;

/**
 * Puts values, as they are, in the places of `${NAME}` in a word of command or args.
 *
 * Of the rest of the word, the kubelet makes what it would make without the places: a `$` of `$$`, and the value of a
 * variable of `$(NAME)`; where it knows no such name, it leaves all up to the ")" as it is, and each `$$` in it too. In a
 * shell's `$(train --lr ${lr})`, a doubled "$" of a value would so stay doubled, and a value could complete the name of a
 * variable. That is why its "$(" is escaped, and what follows is text like any other.
 */
export function fillerOf(assignments: TrialState['assignments']): (word: string) => string {
  const valueOf = (name: string): string => literal(assignments[name] ?? '');
  const fillText = (text: string): string =>
    text.replaceAll(TEXT, (mark, name?: string) => (name === undefined ? literal(mark) : valueOf(name)));
  const fillMark = (mark: string, name?: string): string => {
    if (name !== undefined) return valueOf(name);
    // A "$(" without its ")" could find one in a value.
    return mark === '$' || mark === '$(' || mark.includes('\uFFFF') ? fillText(mark) : mark;
  };
  return (word) => {
    const marked = word.replaceAll(PLACE, (place, name: string) =>
      Object.hasOwn(assignments, name) ? `\uFFFF${name}\uFFFF` : place,
    );
    if (marked === word) return word;
    // Behind the last ")", each "$(" would be looked for one to the end of the word.
    const end = marked.lastIndexOf(')') + 1;
    return marked.slice(0, end).replaceAll(CLOSED, fillMark) + marked.slice(end).replaceAll(OPEN, fillMark);
  };
}
