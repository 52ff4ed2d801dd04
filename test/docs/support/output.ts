/** Whether lines that a page shows are among those that a command printed, in their order; `…` stands for any. */
export function prints(printed: readonly string[], shown: readonly string[]): boolean {
  const observations = printed.map(shapeOf);
  let at = 0;
  for (const line of shown.map(shapeOf).filter((observe) => observe !== '…')) {
    at = observations.indexOf(line, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** A line without what differs from run to run: hashes, numbers, and the width of columns. */
const shapeOf = (line: string): string =>
  line
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(?:-[bcdf-hj-np-tv-z2-9]{5,10}){1,2}(?=\W|$)/g, '-#')
    .replaceAll(/[0-9a-f]{10,}/g, '#')
    .replaceAll(/\d+/g, '0');
