import type { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';

/** A terminal that shows one page at a time. */
export interface Screen {
  show(page: string): void;
  /** Gives the terminal back as it was before the first page. */
  close(): void;
}

const OTHER_BUFFER = '\u001B[?1049h\u001B[?25l';
const FIRST_BUFFER = '\u001B[?25h\u001B[?1049l';
const TO_START = '\u001B[H';
const CLEAR_LINE = '\u001B[K';
const CLEAR_BELOW = '\u001B[J';

/** The terminal's other buffer, so that what stood there before comes back at the end. */
export function terminalScreen(terminal: Pick<WriteStream, 'write' | 'rows' | 'columns'>): Screen {
  let isOpen = false;
  return {
    show: (page) => {
      if (!isOpen) terminal.write(OTHER_BUFFER);
      isOpen = true;
      terminal.write(`${TO_START}${fitted(page, terminal.rows, terminal.columns)}${CLEAR_BELOW}`);
    },
    close: () => {
      if (isOpen) terminal.write(FIRST_BUFFER);
      isOpen = false;
    },
  };
}

/** As much of a page as fits: lines that are too long are cut, and of too many lines the first are kept. */
function fitted(page: string, rows: number, columns: number): string {
  const lines = page.trimEnd().split('\n');
  const kept = lines.length <= rows ? lines : [...lines.slice(0, rows - 1), `… ${lines.length - rows + 1} lines more`];
  return kept.map((line) => `${cut(line, columns)}${CLEAR_LINE}`).join('\r\n');
}

/** Colours take no room; a line that has to be cut loses them. */
function cut(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line);
  return plain.length <= columns ? line : `${plain.slice(0, columns - 1)}…`;
}
