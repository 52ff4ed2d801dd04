/** What a shell gives a meaning of its own: a text with it is no list of words. */
const SPECIAL = /[$`;|&<>()*?[\]{}~#!\n]/;

/** A word, or a part of one: bare, in single quotes, or in double quotes. */
const PART = /([^\s'"\\]+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gsy;

/** The words that a shell makes of a text; undefined where it takes a shell to know. */
export function shellWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let isOpen = false;
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at]!)) {
      if (text[at] === '\n') return undefined;
      isOpen = false;
      at += 1;
      continue;
    }
    PART.lastIndex = at;
    const found = PART.exec(text);
    if (found === null) return undefined;
    const [whole, bare, single, double, escaped] = found;
    if ((bare !== undefined && SPECIAL.test(bare)) || (double !== undefined && /[$`]/.test(double))) return undefined;
    const part = bare ?? single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped!;
    if (isOpen) words.push(`${words.pop()!}${part}`);
    else words.push(part);
    isOpen = true;
    at += whole.length;
  }
  return words;
}
