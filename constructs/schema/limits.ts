import type { Problem } from './error.ts';

/**
 * Most bytes that a spec may have as JSON. The API server takes objects of 1.5 MiB; with its managed fields, its status
 * and the spec that a status remembers, a resource is larger by far than its spec.
 */
export const LARGEST_SPEC_BYTES = 512 * 1024;

/** Most levels that a spec may be nested: some fields take any JSON, and a pod template has about a dozen. */
export const DEEPEST_SPEC = 64;

/** What is too large about a spec, before anything else of it is looked at: that would take long. */
export function limitProblems(spec: unknown): readonly Problem[] {
  if (isDeeper(spec, DEEPEST_SPEC)) {
    return [{ path: 'spec', message: `must be nested at most ${DEEPEST_SPEC} levels deep` }];
  }
  const bytes = new TextEncoder().encode(JSON.stringify(spec) ?? '').length;
  if (bytes <= LARGEST_SPEC_BYTES) return [];
  const message = `must have at most ${LARGEST_SPEC_BYTES} bytes as JSON: move long texts into a ConfigMap or a Secret, and name that`;
  return [{ path: 'spec', message, got: bytes }];
}

/** Level by level, since a recursion has an end of its own. */
function isDeeper(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
