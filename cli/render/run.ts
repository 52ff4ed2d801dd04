import type { Io } from '../io.ts';
import { printManifests, readManifests } from '../manifests.ts';
import { structured } from '../output.ts';
import { render } from './render.ts';

/** The options of `trunnion render`. */
export interface RenderOptions {
  readonly file: string;
  readonly namespace: string;
  readonly output: 'yaml' | 'json';
}

/** Prints the objects that the resources of a file turn into. */
export async function runRender(io: Io, { file, namespace, output }: RenderOptions): Promise<void> {
  const log = (line: string) => io.log(line);
  const rendered = render(await readManifests(file, io), { namespace, source: file, log });
  const manifests = rendered.flatMap(({ children }) => children.map(({ manifest }) => manifest));
  const list = { apiVersion: 'v1', kind: 'List', items: manifests };
  io.out(output === 'json' ? structured('json', list) : printManifests(manifests));
}
