import type { Manifest } from '../../constructs/workload.ts';
import { translations } from '../../operator/kinds/existing/index.ts';
import { EXISTING } from '../../operator/kinds/existing/schemas.ts';
import { CliError, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { namespaceOf, settingsOf, withClient } from '../kube/client.ts';
import { readManifests } from '../manifests.ts';
import type { ClusterOptions } from '../options.ts';
import { convert, READERS } from './convert.ts';
import { move } from './live/move.ts';
import { printEquals } from './print.ts';

/** The options of `trunnion convert`. */
export interface ConvertOptions extends ClusterOptions {
  readonly file?: string;
  readonly live?: boolean;
  readonly namespace?: string;
}

/** Prints the equals of a file's resources, or moves one of the cluster to its equal. */
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
  const equals = manifests.flatMap((manifest) => {
    const equal = convert(manifest, manifests);
    if (equal === undefined)
      io.log(`passed over ${manifest.kind} ${manifest.metadata.name}: ${whyPassedOver(manifest)}`);
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
  const namespace = await namespaceOf(options);
  await withClient(settingsOf(options), (client) =>
    move(client, { translation, namespace, name }, (line) => io.log(line)),
  );
}

/** An LLMModel is no workload: it is in the equals of those that refer to it. */
const whyPassedOver = ({ apiVersion, kind }: Manifest): string =>
  EXISTING.some((known) => known.kind === kind && apiVersion.startsWith(`${known.group}/`))
    ? 'what it says is in the equal of what refers to it'
    : 'no kind that is known';

const knownKinds = (): string => [...EXISTING, ...READERS].map(({ group, kind }) => `${kind} (${group})`).join(', ');
