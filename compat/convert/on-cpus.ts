import { computesOn, namedImageOf } from '../../constructs/model-serving/images.ts';
import { modelServing } from '../../constructs/model-serving/kind.ts';
import type { ModelServingSpec } from '../../constructs/model-serving/spec.ts';
import type { Note } from './fields.ts';

/**
 * Says where vLLM gets its image for CPUs, since nothing asks for a GPU: the source may have had one in a way that nobody reads here.
 *
 * @param kind - of which the spec is
 * @param spec - valid, with its defaults
 */
export function notesOnCpus(kind: string, spec: unknown): readonly Note[] {
  if (kind !== modelServing.kind) return [];
  const serving = spec as ModelServingSpec;
  const isOwn = serving.engine.type === 'vllm' && namedImageOf(serving) === undefined;
  if (!isOwn || computesOn(serving) !== 'cpu') return [];
  const memory = serving.resources.memory === undefined ? ', and memory, of which vLLM takes half' : '';
  return [
    {
      path: 'spec.resources.gpu',
      message: `is 0, and so vLLM runs on CPUs, by its image for these: give the number of GPUs if it has any${memory}`,
    },
  ];
}
