import type { Manifest } from '../../../constructs/workload.ts';
import { POD_TEMPLATES } from '../../../constructs/parts/objects/index.ts';
import { isObject } from '../../../constructs/schema/json.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * An object whose template gives labels to its pods. What the template says already, it says on: a selector may rely on
 * it.
 */
export function withPodLabels(manifest: Manifest, labels: Labels): Manifest {
  return POD_TEMPLATES.reduce(
    (object, path) => changedAt(object, path, (template) => labelled(template, labels)),
    manifest,
  );
}

function labelled(template: Readonly<Record<string, unknown>>, labels: Labels): Readonly<Record<string, unknown>> {
  const { spec, metadata } = template;
  if (!isObject(spec) || !Array.isArray(spec['containers'])) return template;
  const own = isObject(metadata) ? metadata : {};
  const given = isObject(own['labels']) ? own['labels'] : {};
  return { ...template, metadata: { ...own, labels: { ...labels, ...given } } };
}

type Change = (value: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

/** An object with another value at a path, where there is one. */
function changedAt<T extends object>(object: T, [name, ...rest]: readonly string[], change: Change): T {
  const fields = object as Readonly<Record<string, unknown>>;
  if (name === undefined) return change(fields) as T;
  const value = fields[name];
  return isObject(value) ? { ...object, [name]: changedAt(value, rest, change) } : object;
}
