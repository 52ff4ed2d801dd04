import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program of a child process that is `trunnion` itself, compiled or not. */
export function entryPoint(): string {
  return fileURLToPath(new URL(`./main${extname(import.meta.url)}`, import.meta.url));
}
