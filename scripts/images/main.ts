/** Draws the images of the pages, each by the code that a user's command runs. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { drawnSearch } from '../../cli/tuning/search.ts';
import { searchSvg } from '../../cli/tuning/svg.ts';
import type { DistributedTrainingResource } from '../../operator/kinds/distributed-training/index.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The path and the text of each. */
export async function images(): Promise<readonly (readonly [path: string, text: string])[]> {
  const search = parse(await readFile(here('search.yaml'), 'utf8')) as DistributedTrainingResource;
  return [[here('../../docs/images/search.svg'), await searchSvg(drawnSearch(search))]];
}

if (import.meta.main) {
  for (const [path, text] of await images()) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
