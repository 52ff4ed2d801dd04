import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { packageSchema } from '../../../stacks/pulumi/provider/schema.ts';
import { run } from '../../support/run.ts';

/**
 * The folder with the SDKs that Pulumi makes of our package schema: `python`, `go` and `nodejs`.
 *
 * @throws where Pulumi does not take the schema, with what it says
 */
export async function generatedSdks(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-sdks-'));
  const schema = join(folder, 'schema.json');
  writeFileSync(schema, JSON.stringify(packageSchema('0.1.0')));
  mkdirSync(join(folder, 'sdks'));
  const { code, stderr } = await run(inject('pulumi').languages.generator, [schema, join(folder, 'sdks')]);
  if (code !== 0) throw new Error(`Pulumi refuses our package schema:\n${stderr}`);
  return join(folder, 'sdks');
}
