import { defaultAnnotations, notAllowed } from '../constructs/parts/annotations/index.ts';
import { GROUP } from '../constructs/schema/kind.ts';
import { reasonOf } from '../constructs/schema/error.ts';
import type { Resource } from '../operator/engine/api/index.ts';

/** The annotations of a resource that an operator refuses whose administrator has not allowed more than the default. */
export function refusedInWords({ apiVersion, spec }: Resource): readonly string[] {
  const refused = apiVersion.startsWith(`${GROUP}/`) ? notAllowed(spec, defaultAnnotations()) : [];
  return refused.map((problem) => `By default the operator refuses it: ${problem.path}: ${reasonOf(problem)}.`);
}
