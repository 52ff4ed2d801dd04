import { isDeepStrictEqual } from 'node:util';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import type { ModelServingSpec } from '../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../constructs/model-serving/status.ts';
import { SpecError } from '../../../constructs/schema/error.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';
import type { Resource } from '../../engine/api/index.ts';

/**
 * What the last status said. The spec that it remembers makes pods, and unlike `spec` no admission has seen it: anyone who
 * may write a status could ask for what a spec must not. So one that isn't valid is forgotten, as if nothing served.
 */
export function rememberedStatus(resource: Resource<ModelServingSpec, ModelServingStatus>): ModelServingStatus {
  const { served, ...status } = resource.status ?? {};
  if (served === undefined) return status;
  return isDeepStrictEqual(served.spec, resource.spec) || isValid(served.spec, resource)
    ? { ...status, served }
    : status;
}

function isValid(spec: ModelServingSpec, { metadata }: Resource<ModelServingSpec, ModelServingStatus>): boolean {
  const { name, namespace = '' } = metadata;
  try {
    parseSpec(modelServing, { name, namespace, spec, host: 'operator' });
    return true;
  } catch (error) {
    if (error instanceof SpecError) return false;
    throw error;
  }
}
