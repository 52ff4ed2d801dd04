import { HOST_FILE, MACHINE_FILE } from '../../constructs/distributed-training/mpi.ts';
import { isList, isObject } from '../../constructs/schema/json.ts';
import type { Json } from '../../constructs/schema/json.ts';
import type { Fields } from './fields.ts';

/** Where Kubeflow lists the workers (configMountPath and hostfileName of pkg/controller/mpi_job_controller.go, v0.8.0). */
const THEIRS = /\/etc\/mpi\/hostfile(?![\w.-])/g;
const SCRIPT = /\/etc\/mpi\/discover_hosts\.sh(?![\w.-])/;

/** The file here, in the form that an implementation of MPI reads. */
export const hostFileOf = (implementation: Json | undefined): string =>
  implementation === 'Intel' || implementation === 'MPICH' ? MACHINE_FILE : HOST_FILE;

/** Says what happens to the files of Kubeflow that a container names. */
export function reportHostFiles(container: Fields, file: string): void {
  const texts = ['command', 'args'].flatMap((name) => container.items(name).map((at) => ({ at, path: '' })));
  for (const { at, path } of [...texts, ...container.items('env').map((each) => ({ at: each, path: 'value' }))]) {
    const text = at.peek(path);
    if (typeof text !== 'string') continue;
    if (withHostFile(text, file) !== text) at.note(path, `workers are listed in ${file} here`);
    if (SCRIPT.test(text))
      at.note(path, 'names a script that is not here: workers are listed in a file, and stay the same');
  }
}

/** A value of arguments or variables in which workers are listed where they are listed here. */
export function withHostFile(value: Json, file: string): Json {
  if (typeof value === 'string') return value.replaceAll(THEIRS, file);
  if (isList(value)) return value.map((each) => withHostFile(each, file));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withHostFile(each, file)]));
}
