import type { Io } from '../io.ts';
import { printManifests, readManifests } from '../manifests.ts';
import type { KindsOptions } from '../options.ts';
import { structured } from '../output.ts';
import { knownKinds } from '../user-kinds/known.ts';
import { render } from './render.ts';

/** The options of `trunnion render`. */
export interface RenderOptions extends KindsOptions {
  readonly file: string;
  readonly namespace: string;
  readonly output: 'yaml' | 'json';
  /** Whether objects of other kinds are printed as they are. */
  readonly keepOthers: boolean;
}

/** Prints the objects that the resources of a file turn into. */
export async function runRender(io: Io, options: RenderOptions): Promise<void> {
  const { file, namespace, output, keepOthers: keepsOthers } = options;
  const log = (line: string) => io.log(line);
  const among = await knownKinds(options.kinds);
  const given = await readManifests(file, io);
  const rendered = render(given, { namespace, source: file, log, among, keepsOthers });
  const objects = new Map(
    rendered.map(({ manifest, children }) => [manifest, children.map((child) => child.manifest)]),
  );
  const manifests = given.flatMap((manifest) => objects.get(manifest) ?? (keepsOthers ? [manifest] : []));
  const list = { apiVersion: 'v1', kind: 'List', items: manifests };
  io.out(output === 'json' ? structured('json', list) : printManifests(manifests));
}
