import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { packageRoot } from './binaries.ts';

/** What the simulated kubelets go by: kwok's stages, and the logs that they show. */
const STAGES = ['nodes.yaml', 'pods.yaml', 'volumes.yaml'];

/** A document of kwok's configuration. */
interface Document {
  readonly kind: string;
  readonly spec: { readonly delay?: { readonly durationMilliseconds?: number }; readonly [field: string]: unknown };
}

/** Text of a file in `cluster/manifests/`. */
export function manifest(file: string): string {
  return readFileSync(join(packageRoot(), 'cluster', 'manifests', file), 'utf8');
}

/**
 * kwok's configuration.
 *
 * @param pace - by what the stages' delays are multiplied
 */
export function kwokConfig(pace: number): string {
  return STAGES.flatMap((file) => parseAllDocuments(manifest(file)))
    .map((document) => stringify(paced(document.toJS() as Document, pace)))
    .join('---\n');
}

function paced(document: Document, pace: number): Document {
  const delay = document.spec.delay;
  if (delay?.durationMilliseconds === undefined) {
    return document;
  }
  const durationMilliseconds = Math.round(delay.durationMilliseconds * pace);
  return { ...document, spec: { ...document.spec, delay: { ...delay, durationMilliseconds } } };
}
