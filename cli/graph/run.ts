import type { Io } from '../io.ts';
import { readManifests } from '../manifests.ts';
import type { KindsOptions } from '../options.ts';
import { structured } from '../output.ts';
import { render } from '../render/render.ts';
import { knownKinds } from '../user-kinds/known.ts';
import { graphsDot } from './dot.ts';
import { type Graph, graphsOf } from './graph.ts';
import { graphsSvg } from './svg.ts';

/** The options of `trunnion graph`. */
export interface GraphOptions extends KindsOptions {
  readonly file: string;
  readonly namespace: string;
  readonly output: 'svg' | 'dot' | 'json';
}

const FORMATS = {
  svg: graphsSvg,
  dot: graphsDot,
  json: (graphs: readonly Graph[]) => structured('json', graphs),
} as const;

/** Draws the objects that the resources of a file turn into. */
export async function runGraph(io: Io, { file, namespace, output, kinds }: GraphOptions): Promise<void> {
  const log = (line: string) => io.log(line);
  const among = await knownKinds(kinds);
  const rendered = render(await readManifests(file, io), { namespace, source: file, log, among });
  io.out(await FORMATS[output](graphsOf(rendered)));
}
