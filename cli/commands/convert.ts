import { Command } from 'commander';
import type { Manifest } from '../../constructs/workload.ts';
import { EXISTING } from '../../operator/kinds/existing/schemas.ts';
import { convert, READERS } from '../convert/convert.ts';
import { printEquals } from '../convert/print.ts';
import { CliError } from '../errors.ts';
import type { Io } from '../io.ts';
import { readManifests } from '../manifests.ts';
import { withExamples } from '../options.ts';

interface ConvertOptions {
  readonly file: string;
}

/** `trunnion convert`: the equals of resources that others specified. */
export function convertCommand(io: Io): Command {
  const command = new Command('convert')
    .description(
      'Print, as YAML, the resources of ours that are the equals of others; a comment names each field that has none.',
    )
    .requiredOption('-f, --file <path>', 'file with resources, as YAML or JSON; - is the standard input')
    .action(async ({ file }: ConvertOptions) => {
      const manifests = await readManifests(file, io);
      const equals = manifests.flatMap((manifest) => {
        const equal = convert(manifest, manifests);
        if (equal === undefined)
          io.say(`passed over ${manifest.kind} ${manifest.metadata.name}: ${whyPassedOver(manifest)}`);
        return equal === undefined ? [] : [equal];
      });
      if (equals.length === 0) throw new CliError(`${file} has no resource that is known; there are: ${knownKinds()}`);
      io.out(printEquals(equals));
    });
  return withExamples(
    command,
    'trunnion convert -f modeldeployment.yaml',
    'kubectl get inferenceservice llama -o yaml | trunnion convert -f - > llama.yaml',
  );
}

/** An LLMModel is no workload: it is in the equals of those that refer to it. */
const whyPassedOver = ({ apiVersion, kind }: Manifest): string =>
  EXISTING.some((known) => known.kind === kind && apiVersion.startsWith(`${known.group}/`))
    ? 'what it says is in the equal of what refers to it'
    : 'no kind that is known';

const knownKinds = (): string => [...EXISTING, ...READERS].map(({ group, kind }) => `${kind} (${group})`).join(', ');
