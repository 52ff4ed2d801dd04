import type { Manifest } from '../../constructs/workload.ts';
import { translations, COMPAT_SCHEMAS } from '../../compat/kinds/index.ts';
import { CliError, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import { readManifests } from '../manifests.ts';
import type { ClusterOptions } from '../options.ts';
import { convert, READERS } from '../../compat/convert/index.ts';
import { move } from './live/move.ts';
import { printEquivalents } from './print.ts';

/** The options of `trunnion convert`. */
export interface ConvertOptions extends ClusterOptions {
  readonly file?: string;
  readonly live?: boolean;
  readonly namespace?: string;
}

/** Prints the equivalents of a file's resources, or moves one of the cluster to its equivalent. */
export async function runConvert(
  io: Io,
  kind: string | undefined,
  name: string | undefined,
  options: ConvertOptions,
): Promise<void> {
  const { file, live = false } = options;
  if (live && kind !== undefined && name !== undefined && file === undefined) {
    await moveLive(io, kind, name, options);
  } else if (!live && file !== undefined && kind === undefined) {
    await printFile(io, file);
  } else {
    throw new UsageError('convert takes either -f FILE, or --live KIND NAME');
  }
}

async function printFile(io: Io, file: string): Promise<void> {
  const manifests = await readManifests(file, io);
  const equivalents = manifests.flatMap((manifest) => {
    const equivalent = convert(manifest, manifests);
    if (equivalent === undefined)
      io.log(`passed over ${manifest.kind} ${manifest.metadata.name}: ${whyPassedOver(manifest)}`);
    return equivalent === undefined ? [] : [equivalent];
  });
  if (equivalents.length === 0) throw new CliError(`${file} has no resource that is known; there are: ${knownKinds()}`);
  io.out(printEquivalents(equivalents));
}

async function moveLive(io: Io, kind: string, name: string, options: ConvertOptions): Promise<void> {
  const translation = translations.find(({ theirs }) =>
    [theirs.kind.toLowerCase(), theirs.plural, ...theirs.shortNames].includes(kind.toLowerCase()),
  );
  if (!translation) {
    const known = translations.map(({ theirs }) => theirs.kind).join(', ');
    throw new UsageError(`${kind} is no kind that the operator runs; there are: ${known}`);
  }
  const namespace = await namespaceOf(options);
  await withClient(settingsOf(options), (client) =>
    move(client, { translation, namespace, name }, (line) => io.log(line)),
  );
}

/** An LLMModel is no workload: it is in the equivalents of those that refer to it. */
const whyPassedOver = ({ apiVersion, kind }: Manifest): string =>
  COMPAT_SCHEMAS.some((known) => known.kind === kind && apiVersion.startsWith(`${known.group}/`))
    ? 'what it says is in the equivalent of what refers to it'
    : 'no kind that is known';

const knownKinds = (): string =>
  [...COMPAT_SCHEMAS, ...READERS].map(({ group, kind }) => `${kind} (${group})`).join(', ');
