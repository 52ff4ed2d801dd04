import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';

/** A fenced block of a page. */
export interface Block {
  readonly file: string;
  /** What stands after the fence: `console`, `yaml llama.yaml`. */
  readonly info: string;
  readonly text: string;
}

/** A command, and what the page says that it prints. */
export interface Command {
  readonly line: string;
  readonly prints: readonly string[];
}

/** All of our pages. */
export async function pages(): Promise<string[]> {
  return (await Array.fromAsync(glob(['*.md', 'docs/**/*.md']))).sort();
}

/** All fenced blocks of our pages, but for those that are generated: other tests compare these with their source. */
export async function blocks(): Promise<Block[]> {
  return (await pages()).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return text.includes('This page is generated') ? [] : blocksOf(file, text);
  });
}

function blocksOf(file: string, markdown: string): Block[] {
  return [...markdown.matchAll(/^( *)```([^\n]+)\n(.*?)^\1```$/gms)].map(([, , info = '', text = '']) => ({
    file,
    info,
    text,
  }));
}

/** The language of a block: `yaml`. */
export const languageOf = ({ info }: Block): string => info.split(' ')[0] ?? '';

/** The file that a block is the content of, where the page has its reader save it: `llama.yaml`. */
export const fileOf = ({ info }: Block): string | undefined => info.split(' ')[1];

/** Whether a block has commands to be typed. */
export const isTyped = (block: Block): boolean => ['console', 'sh', 'bash', 'shell'].includes(languageOf(block));

/** The commands of a block: in a `console` what stands after a `$`, with what follows as output; else every line. */
export function commandsOf(block: Block): readonly Command[] {
  const text = block.text.replaceAll(/\\\n\s*/g, '');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (languageOf(block) !== 'console') {
    return lines.filter((line) => !line.startsWith('#')).map((line) => ({ line, prints: [] }));
  }
  const starts = lines.flatMap((line, at) => (line.startsWith('$ ') ? [at] : []));
  return starts.map((at, n) => ({ line: lines[at]?.slice(2) ?? '', prints: lines.slice(at + 1, starts[n + 1]) }));
}

/** What of a page can be linked to: its headings, as they are named on the web. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const text = markdown.replaceAll(/^```.*?^```$/gms, '');
  const seen = new Map<string, number>();
  const anchors = [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) => {
    const name = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  });
  return new Set(anchors);
}
