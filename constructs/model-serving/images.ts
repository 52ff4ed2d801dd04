import { acceleratorOf, NVIDIA_DEVICES, type Accelerator } from '../parts/pod/index.ts';
import { ENGINE_TABLE } from './engine.table.ts';
import type { EngineType } from './engines.ts';
import { serverPatchOf } from './server-container.ts';
import type { ModelServingSpec } from './spec.ts';

/** The image that a spec names for its server. */
export const namedImageOf = (spec: ModelServingSpec): string | undefined =>
  spec.engine.image ?? serverPatchOf(spec)?.image;

/**
 * What the server computes on. A spec without `resources.gpu` may still say by the variable of NVIDIA's runtime, or by an extended
 * resource in `podTemplate`, that its server sees GPUs; which, only its user knows, and so they pass for NVIDIA's, as in a spec that
 * names no other vendor. image.rules.ts says the same as a rule.
 */
export function computesOn(spec: ModelServingSpec): Accelerator | 'other' {
  return spec.resources.gpu === 0 && seesGpusOtherwise(spec) ? 'nvidia' : acceleratorOf(spec.resources);
}

function seesGpusOtherwise(spec: ModelServingSpec): boolean {
  const { env = [], resources } = serverPatchOf(spec) ?? {};
  const variables = [...env, ...(spec.env ?? []), ...(spec.engine.env ?? [])];
  return (
    variables.some(({ name }) => name === NVIDIA_DEVICES) ||
    Object.keys({ ...resources?.requests, ...resources?.limits }).some((name) => name.includes('/'))
  );
}

/** The release of an engine that the server of a spec runs where nobody names an image; absent where the table has none. */
export function releaseOf(spec: ModelServingSpec, type: EngineType = spec.engine.type): string | undefined {
  const accelerator = computesOn(spec);
  return accelerator === 'other' ? undefined : ENGINE_TABLE[type].images[accelerator];
}

/**
 * Whether the server of a spec can run an image that was pinned for it. Earlier operators pinned the images for NVIDIA's GPUs for
 * CPUs and for AMD's GPUs as well, where those of vLLM can't start: vLLM takes the accelerator that it was built for.
 */
export function canRun(spec: ModelServingSpec, pinned: string): boolean {
  const release = releaseOf(spec);
  const { nvidia } = ENGINE_TABLE[spec.engine.type].images;
  if (release === undefined || nvidia === undefined) return true;
  return repositoryOf(release) === repositoryOf(nvidia) || repositoryOf(pinned) !== repositoryOf(nvidia);
}

/** An image without tag and digest: `docker.io/vllm/vllm-openai`. */
export function repositoryOf(image: string): string {
  const [tagged = ''] = image.split('@', 1);
  const end = tagged.lastIndexOf(':');
  return end > tagged.lastIndexOf('/') ? tagged.slice(0, end) : tagged;
}
