import { Command } from 'commander';
import type { Io } from '../io.ts';
import { GROUPS, withExamples, withOutput } from '../options.ts';
import type { SchemaOptions } from '../schema/run.ts';

/** `trunnion schema`: what editors need to help with resources. */
export function schemaCommand(io: Io): Command {
  const command = new Command('schema')
    .helpGroup(GROUPS.develop)
    .summary('Print the JSON Schema of a kind, for editors.')
    .description(
      'Print the JSON Schema of a kind, or of all kinds in one, for editors: it completes fields, shows what they mean, and marks what is wrong. It is made from what the CRDs are made from. For the YAML language server, begin a file with: # yaml-language-server: $schema=trunnion.schema.json',
    )
    .argument('[kind]', 'ModelServing, or modelservings, or msv (default: all kinds)')
    .action(async (kind: string | undefined, options: SchemaOptions) =>
      (await import('../schema/run.ts')).runSchema(io, kind, options),
    );
  return withExamples(
    withOutput(command, ['json', 'yaml']),
    'trunnion schema > trunnion.schema.json',
    'trunnion schema ModelServing | jq .properties.spec.properties.engine',
  );
}
