import { literal } from '../parts/literal.ts';
import type { TrialRuntime } from './runtime.ts';

/** Names that may stand in a place `${NAME}`; what else is written so is left to shells. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Puts values, as they are, in the places of `${NAME}` in a word of command or args.
 *
 * Of the rest of the word, the kubelet makes what it would make without the places: a `$` of `$$`, and the value of a
 * variable of `$(NAME)`; where it knows no such name, it leaves all up to the ")" as it is, and each `$$` in it too. In a
 * shell's `$(train --lr ${lr})`, a doubled "$" of a value would so stay doubled, and a value could complete the name of a
 * variable. That is why its "$(" is escaped, and what follows is text like any other.
 */
export function fillerOf(assignments: TrialRuntime['assignments']): (word: string) => string {
  const names = Object.keys(assignments).filter((name) => NAME.test(name));
  if (names.length === 0) return (word) => word;
  const place = String.raw`\$\{(?:${names.join('|')})\}`;
  const places = new RegExp(place);
  const marks = (...others: readonly string[]) => new RegExp([place, ...others].join('|'), 'g');
  // An alternative of these stands before those of which it is a part: the kubelet reads from left to right, once.
  const lone = String.raw`\$(?=${place})`;
  const closed = marks(lone, String.raw`\$\$`, String.raw`\$\([^)]*\)`);
  const open = marks(lone, String.raw`\$\$`, String.raw`\$\(`);
  const any = marks(String.raw`\$`);

  const valueAt = (found: string): string => literal(assignments[found.slice(2, -1)] ?? '');
  const fillText = (text: string): string =>
    text.replaceAll(any, (mark) => (mark === '$' ? literal(mark) : valueAt(mark)));
  const fillMark = (mark: string): string => {
    if (mark === '$$') return mark;
    if (mark.startsWith('${')) return valueAt(mark);
    // A "$(" without its ")" could find one in a value.
    return mark === '$' || mark === '$(' || places.test(mark) ? fillText(mark) : mark;
  };
  return (word) => {
    if (!places.test(word)) return word;
    // Behind the last ")", each "$(" would be looked for one to the end of the word.
    const end = word.lastIndexOf(')') + 1;
    return word.slice(0, end).replaceAll(closed, fillMark) + word.slice(end).replaceAll(open, fillMark);
  };
}
