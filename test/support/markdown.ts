import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';

/** A fenced block of a page. */
export interface Block {
  readonly file: string;
  /** What stands after the fence: `console cluster`. */
  readonly info: string;
  readonly text: string;
}

/** All fenced blocks of our pages, but for those that are generated. */
export async function blocks(): Promise<Block[]> {
  const files = await Array.fromAsync(glob(['*.md', 'docs/**/*.md'], { exclude: ['docs/reference/**'] }));
  return files.sort().flatMap((file) => blocksOf(file, readFileSync(file, 'utf8')));
}

function blocksOf(file: string, markdown: string): Block[] {
  return [...markdown.matchAll(/^```([^\n]+)\n(.*?)^```$/gms)].map(([, info = '', text = '']) => ({
    file,
    info,
    text,
  }));
}

/** The commands of a block: what stands after a `$`. */
export function commandsOf({ text }: Block): string[] {
  return [...text.matchAll(/^\$ (.+)$/gm)].map(([, command = '']) => command);
}
