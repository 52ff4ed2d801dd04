import { join } from 'node:path';
import { EXIT, WEIGHTS_FOLDER, isArchive } from '../constructs/parts/weights/index.ts';
import type { Marker, FetchedUri } from '../constructs/parts/weights/index.ts';
import type { Config, Environment, Part } from './config.ts';
import { download } from './download.ts';
import { FetchError } from './errors.ts';
import { sourceOf } from './hosts.ts';
import type { Program } from './hosts.ts';
import { Http } from './http.ts';
import { takeLock } from './lock.ts';
import type { Lock } from './lock.ts';
import { checkNames } from './names.ts';
import type { Progress, Report } from './report.ts';
import { select } from './selection.ts';
import type { Listing, RemoteFile } from './source.ts';
import { checkSpace, isFull, noSpace, publish, readMarker, sizeOf, stage } from './volume.ts';
import type { Staging } from './volume.ts';

/** What a run of the fetcher is given. */
export interface Fetch extends Program {
  readonly config: Config;
  readonly report: Report;
  /** Ends the run; the next one continues from there. */
  readonly stop: AbortSignal;
}

/** Brings the model, and what comes with it, onto the volume, unless it is there. */
export async function fetchWeights({ stop, ...fetch }: Fetch): Promise<Marker> {
  const { config, report } = fetch;
  const present = await presentOn(config);
  if (present) return present;
  let reported = '';
  const lock = await takeLock(config, stop, async (holder) => {
    if (reported !== holder) report.line({ message: `the volume is in use by ${holder}; waiting` });
    reported = holder;
    return (await presentOn(config)) !== undefined;
  });
  try {
    const signal = AbortSignal.any([stop, ...(lock ? [lock.signal] : [])]);
    return (await presentOn(config)) ?? (await bringAll({ ...fetch, signal, lock }));
  } finally {
    await lock?.release();
  }
}

/** Waits until another fetcher has brought the weights. */
export async function waitForWeights(config: Config, report: Report, pause: () => Promise<void>): Promise<Marker> {
  report.line({ message: 'waiting until the weights are there' });
  for (;;) {
    const marker = await presentOn(config);
    if (marker) return marker;
    await pause();
  }
}

/** What the volume is to hold. */
const wantedBy = ({ uri, selectionText: selection }: Part) => ({ uri, ...(selection !== undefined && { selection }) });

/** The marker of the model, where all that belongs to it is there. */
async function presentOn({ root, parts }: Config): Promise<Marker | undefined> {
  let last: Marker | undefined;
  for (const part of parts) {
    last = await readMarker(root, part.folder, wantedBy(part));
    if (!last) return undefined;
  }
  return last;
}

/** A run of the fetcher that has the volume. */
interface Run extends Omit<Fetch, 'stop'> {
  readonly signal: AbortSignal;
  readonly lock: Lock | undefined;
}

async function bringAll(run: Run): Promise<Marker> {
  const { root, parts } = run.config;
  let bytes = 0;
  let last: Marker | undefined;
  for (const part of parts) {
    last =
      (await readMarker(root, part.folder, wantedBy(part))) ?? (await bring(run, part, bytes).catch(withPart(part)));
    bytes += last.bytes;
  }
  if (!last) throw new Error('there is nothing to fetch');
  return last;
}

/** The words of a source are about model.uri: says where it is about what comes with the model. */
const withPart =
  ({ folder }: Part) =>
  (error: unknown): never => {
    if (folder === WEIGHTS_FOLDER || !(error instanceof FetchError)) throw error;
    const advice = folder === 'vocabulary' ? '; to run without it set model.vocabulary to none' : '';
    throw new FetchError(`model.${folder}: ${error.message}${advice}`, error.exitCode, { cause: error.cause });
  };

/** @param beside - bytes of what has come before it, onto the same volume */
async function bring(
  { config, hosts, unpack, report, signal, lock }: Run,
  part: Part,
  beside: number,
): Promise<Marker> {
  let retrying: string | undefined;
  const http = new Http(config, signal, (cause, ms) => {
    retrying = cause;
    report.line({ retrying, inSeconds: Math.round(ms / 1000) });
  });
  const source = sourceOf(hosts, part.source, http, environmentOf(part, config));
  const listing = selectedOf(part, await source.list());
  retrying = undefined;
  checkNames(listing.files.map(({ path }) => path));
  if (listing.files.length === 0) throw new FetchError('there is no file to fetch: check model.uri', EXIT.notFound);
  const progress = { bytes: 0, totalBytes: listing.files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) };
  report.line({ message: `fetching ${listing.files.length} files`, revision: listing.revision, ...progress });
  const ticker = setInterval(() => report.line({ ...progress, retrying }), config.progressMs);
  try {
    return await withSpaceError(progress, beside, async () => {
      const staging = await stage(config.root, part.uri, listing);
      const missing = progress.totalBytes - (await stagedBytes(listing, staging));
      await checkSpace(config.root, missing, progress.totalBytes + beside);
      const assertHeld = (): void => lock?.assertHeld();
      const count = (bytes: number): void => {
        progress.bytes += bytes;
        if (bytes > 0) retrying = undefined;
      };
      await inParallel(config.parallel, listing.files, (file) =>
        download(file, { source, http, staging, count, assertHeld }),
      );
      const folder = await layOut(part.source, listing, staging, unpack, signal);
      assertHeld();
      const { revision, files } = listing;
      const marker = { ...wantedBy(part), revision, files: files.length, bytes: progress.bytes };
      await publish(config.root, staging, [folder, part.folder], marker);
      return marker;
    });
  } finally {
    clearInterval(ticker);
    report.line({ ...progress });
  }
}

/** Anyone who has the vocabulary is not the host of the model, and gets none of its credentials. */
const environmentOf = ({ folder }: Part, { env }: Config): Environment => (folder === 'vocabulary' ? {} : env);

/** What of a listing is fetched. A web server has one file, which is all of the model. */
const selectedOf = ({ source, selection, takesGguf }: Part, listing: Listing): Listing =>
  source.scheme === 'https' ? listing : { ...listing, files: select(listing.files, selection, takesGguf) };

/** The folder that becomes the model: the files as they are, or what the one archive among them holds. */
async function layOut(
  { scheme }: FetchedUri,
  listing: Listing,
  staging: Staging,
  unpack: Program['unpack'],
  signal: AbortSignal,
): Promise<string> {
  const [only] = listing.files;
  if (scheme !== 'https' || unpack === undefined || only === undefined || !isArchive(only.path)) return staging.files;
  const folder = join(staging.path, 'unpacked');
  await unpack(join(staging.files, only.path), folder, signal);
  return folder;
}

async function stagedBytes(listing: Listing, staging: Staging): Promise<number> {
  let bytes = 0;
  for (const { path } of listing.files) {
    bytes += (await sizeOf(join(staging.files, path))) ?? (await sizeOf(join(staging.parts, path))) ?? 0;
  }
  return bytes;
}

async function withSpaceError<T>(progress: Progress, beside: number, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw isFull(error) ? noSpace(Math.max(progress.totalBytes, progress.bytes) + beside) : error;
  }
}

/** Runs an action on all files, so many at a time; after a failure no further one begins. */
async function inParallel(
  width: number,
  files: readonly RemoteFile[],
  action: (file: RemoteFile) => Promise<void>,
): Promise<void> {
  const queue = files.values();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const file of queue) {
      if (failed) return;
      try {
        await action(file);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}
