/** Narrower than this nothing is wrapped: it would be a column of words. */
const NARROWEST = 30;

/** Words as lines that are no longer than `width`, where words allow it. */
export function wrapped(words: string, width: number): string[] {
  const lines = [''];
  for (const word of words.split(/ +/)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > Math.max(width, NARROWEST)) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
