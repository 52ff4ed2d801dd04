/** Whether lines that a page shows are among those that a command printed, in their order; `…` stands for any. */
export function prints(printed: readonly string[], shown: readonly string[]): boolean {
  const looks = printed.map(looksOf);
  let at = 0;
  for (const line of shown.map(looksOf).filter((look) => look !== '…')) {
    at = looks.indexOf(line, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** A line without what differs from run to run: hashes, numbers, and the width of columns. */
const looksOf = (line: string): string =>
  line
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?:-[bcdf-hj-np-tv-z2-9]{5,10}){1,2}(?=\W|$)/g, '-#')
    .replaceAll(/[0-9a-f]{10,}/g, '#')
    .replaceAll(/\d+/g, '0');
