import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { run } from './run.ts';

/**
 * Runs Helm, which reads and writes nothing of the user's.
 *
 * @returns what it printed
 * @throws where it fails, with what it said
 */
export async function helm(...args: readonly string[]): Promise<string> {
  const home = (HELM_HOME ??= mkdtempSync(join(tmpdir(), 'trunnion-helm-')));
  const env = { ...process.env, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
  const { code, stdout, stderr } = await run(inject('helm'), args, { env });
  if (code !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

let HELM_HOME: string | undefined;
