/** Longest name that is compared: the time grows with the square of it. */
const LONGEST = 100;

/** So many letters at the most may be added, left out or exchanged in a name that is taken for another. */
const MOST_EDITS = 3;

/** The name that was probably meant by one that is not there; undefined where none is like it. */
export function similarTo(given: string, names: readonly string[]): string | undefined {
  const near = names
    .filter((name) => name.length <= LONGEST && given.length <= LONGEST)
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= MOST_EDITS && edits < Math.max(name.length, given.length) / 2)
    .toSorted((a, b) => a.edits - b.edits);
  return near[0]?.name;
}

/** How many letters are to be added, left out or exchanged to make one text of the other (Levenshtein). */
export function editsBetween(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const exchange = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(exchange, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
