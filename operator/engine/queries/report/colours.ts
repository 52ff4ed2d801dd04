const ESCAPE = '\u001b';
/** The same as ESC and "[", in one character. */
const CONTROL_SEQUENCE = '\u009b';
const BELL = '\u0007';
/** Behind ESC they begin text for the terminal, which ends as that of "]" does. */
const COMMANDS = ']PX^_';

/** A line without the sequences by which programs colour it, or talk to a terminal otherwise. It looks at each character once. */
export function withoutColours(line: string): string {
  if (!line.includes(ESCAPE) && !line.includes(CONTROL_SEQUENCE)) return line;
  let plain = '';
  let from = 0;
  for (let at = 0; at < line.length;) {
    const end = endOfSequence(line, at);
    if (end === at) at += 1;
    else {
      plain += line.slice(from, at);
      from = at = end;
    }
  }
  return plain + line.slice(from);
}

/** Where the sequence at a place ends; the place itself where there is none. */
function endOfSequence(line: string, at: number): number {
  if (line[at] === CONTROL_SEQUENCE) return endOfControl(line, at + 1);
  if (line[at] !== ESCAPE) return at;
  if (line[at + 1] === '[') return endOfControl(line, at + 2);
  if (COMMANDS.includes(line[at + 1] ?? ' ')) return endOfCommand(line, at + 2);
  return endOfShort(line, at + 1);
}

/** Intermediate characters, and one that ends them: "ESC ( B", by which `tput sgr0` begins. */
function endOfShort(line: string, from: number): number {
  let at = from;
  while (at < line.length && isBetween(line, at, 0x20, 0x2f)) at += 1;
  return Math.min(at + 1, line.length);
}

/** Parameters and intermediate characters, and one that ends them. */
function endOfControl(line: string, from: number): number {
  let at = from;
  while (at < line.length && isBetween(line, at, 0x20, 0x3f)) at += 1;
  return isBetween(line, at, 0x40, 0x7e) ? at + 1 : at;
}

/** Up to a bell, or to an ESC and the character behind it. */
function endOfCommand(line: string, from: number): number {
  let at = from;
  while (at < line.length && line[at] !== BELL && line[at] !== ESCAPE) at += 1;
  return Math.min(at + (line[at] === ESCAPE ? 2 : 1), line.length);
}

const isBetween = (line: string, at: number, first: number, last: number): boolean => {
  const code = line.charCodeAt(at);
  return code >= first && code <= last;
};
