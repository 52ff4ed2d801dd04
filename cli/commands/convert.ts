import { Command } from 'commander';
import type { Manifest } from '../../constructs/workload.ts';
import { EXISTING } from '../../operator/kinds/existing/schemas.ts';
import { translations } from '../../operator/kinds/existing/index.ts';
import { connect } from '../../operator/kube/index.ts';
import { convert, READERS } from '../convert/convert.ts';
import { move } from '../convert/live/move.ts';
import { printEquals } from '../convert/print.ts';
import { CliError, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { settingsOf, withClient } from '../kube/client.ts';
import { readManifests } from '../manifests.ts';
import { type ClusterOptions, withClusterOptions, withExamples } from '../options.ts';

interface ConvertOptions extends ClusterOptions {
  readonly file?: string;
  readonly live?: boolean;
  readonly namespace?: string;
}

/** `trunnion convert`: the equals of resources that others specified. */
export function convertCommand(io: Io): Command {
  const command = new Command('convert')
    .description(
      'Print, as YAML, the resources of ours that are the equals of others; a comment names each field that has none. With --live, move one that the operator runs already, without restarting a pod.',
    )
    .argument('[kind]', 'with --live: its kind, for instance ModelDeployment')
    .argument('[name]', 'with --live: its name')
    .option('-f, --file <path>', 'file with resources, as YAML or JSON; - is the standard input')
    .option('--live', 'move the resource KIND NAME of the cluster to ours')
    .option('-n, --namespace <name>', "with --live: its namespace (default: the context's)")
    .action(async (kind: string | undefined, name: string | undefined, options: ConvertOptions) => {
      const { file, live = false } = options;
      if (live && kind !== undefined && name !== undefined && file === undefined) {
        await moveLive(io, kind, name, options);
      } else if (!live && file !== undefined && kind === undefined) {
        await printFile(io, file);
      } else {
        throw new UsageError('convert takes either -f FILE, or --live KIND NAME');
      }
    });
  return withExamples(
    withClusterOptions(command),
    'trunnion convert -f modeldeployment.yaml',
    'kubectl get inferenceservice llama -o yaml | trunnion convert -f - > llama.yaml',
    'trunnion convert --live ModelDeployment llama-3-8b -n models',
  );
}

async function printFile(io: Io, file: string): Promise<void> {
  const manifests = await readManifests(file, io);
  const equals = manifests.flatMap((manifest) => {
    const equal = convert(manifest, manifests);
    if (equal === undefined)
      io.say(`passed over ${manifest.kind} ${manifest.metadata.name}: ${whyPassedOver(manifest)}`);
    return equal === undefined ? [] : [equal];
  });
  if (equals.length === 0) throw new CliError(`${file} has no resource that is known; there are: ${knownKinds()}`);
  io.out(printEquals(equals));
}

async function moveLive(io: Io, kind: string, name: string, options: ConvertOptions): Promise<void> {
  const translation = translations.find(({ theirs }) =>
    [theirs.kind.toLowerCase(), theirs.plural, ...theirs.shortNames].includes(kind.toLowerCase()),
  );
  if (!translation) {
    const known = translations.map(({ theirs }) => theirs.kind).join(', ');
    throw new UsageError(`${kind} is no kind that the operator runs; there are: ${known}`);
  }
  const settings = settingsOf(options);
  const namespace = options.namespace ?? (await connect(settings).current()).namespace;
  await withClient(settings, (client) => move(client, { translation, namespace, name }, (line) => io.say(line)));
}

/** An LLMModel is no workload: it is in the equals of those that refer to it. */
const whyPassedOver = ({ apiVersion, kind }: Manifest): string =>
  EXISTING.some((known) => known.kind === kind && apiVersion.startsWith(`${known.group}/`))
    ? 'what it says is in the equal of what refers to it'
    : 'no kind that is known';

const knownKinds = (): string => [...EXISTING, ...READERS].map(({ group, kind }) => `${kind} (${group})`).join(', ');
