import { writeFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { SpecError } from '../../constructs/schema/error.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { kinds } from '../kinds.ts';
import { toResource } from '../resources.ts';

/** Where a resource goes. */
export interface OutputOptions {
  /** @default - stdout */
  readonly output?: string;
  /** @default - a file that is there stays as it is */
  readonly force?: true;
}

/**
 * Writes a resource that the API server would take.
 *
 * @throws UsageError with all that is wrong with it, or where the file is there already
 */
export async function writeResource(io: Io, yaml: string, { output, force }: OutputOptions): Promise<void> {
  check(parse(yaml) as Manifest);
  if (output === undefined || output === '-') return io.out(yaml);
  try {
    await writeFile(output, yaml, { flag: force === true ? 'w' : 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new UsageError(`${output} is there already: choose another file, or add --force to replace it`);
    }
    throw new UsageError(`${output} can't be written`, { cause: error });
  }
  io.log(`wrote ${output}; next: trunnion plan -f ${output}, then kubectl apply -f ${output}`);
}

function check(manifest: Manifest): void {
  const kind = kinds.find(({ type }) => type.kind === manifest.kind);
  try {
    kind?.render(toResource(manifest, 'default'), {});
  } catch (error) {
    if (error instanceof SpecError) throw new UsageError(error.message);
    throw error;
  }
}
