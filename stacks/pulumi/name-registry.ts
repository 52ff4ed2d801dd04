import * as pulumi from '@pulumi/pulumi';
import type { Problem } from '../../constructs/index.ts';

/** Who makes the objects of a workload. */
export type Via = 'pulumi' | 'operator';

/** The workloads of each program that runs, by what names them. */
const programs = new WeakMap<object, Map<string, Via>>();

/**
 * Takes the names of a workload, where they are plain. Those that come later are told from others by the API server: what
 * exists is not made again.
 *
 * @returns what is wrong where a workload of the same names is made in the other way
 */
export function registerName(via: Via, kind: string, name: unknown, namespace: unknown): readonly Problem[] {
  if (typeof name !== 'string' || typeof namespace !== 'string') return [];
  const program: object = pulumi.runtime.getMonitor() ?? registerName;
  const names = programs.get(program) ?? new Map<string, Via>();
  programs.set(program, names);
  const title = `${kind} ${namespace}/${name}`;
  const other = names.get(title) ?? via;
  names.set(title, other);
  if (other === via) return [];
  return [
    {
      path: 'metadata.name',
      message: `must be another: ${title} is made via ${other} already, and its objects can't have two owners. Give one of the two another name, or keep only one of them; to change an existing workload over, see docs/concepts/hand-over.md`,
      got: name,
    },
  ];
}
