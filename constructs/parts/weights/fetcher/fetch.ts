import { join } from 'node:path';
import { EXIT } from '../layout.ts';
import type { Marker } from '../layout.ts';
import { isArchive } from '../uri.ts';
import type { FetchedUri } from '../uri.ts';
import { unpack } from './archive.ts';
import type { Config, Environment } from './config.ts';
import { download } from './download.ts';
import { FetchError } from './errors.ts';
import { Http } from './http.ts';
import { takeLock } from './lock.ts';
import type { Lock } from './lock.ts';
import { checkNames } from './names.ts';
import type { Progress, Report } from './report.ts';
import type { Listing, RemoteFile, Source } from './source.ts';
import { Azure } from './sources/azure.ts';
import { Gcs } from './sources/gcs.ts';
import { Https } from './sources/https.ts';
import { HuggingFace } from './sources/hugging-face.ts';
import { S3 } from './sources/s3.ts';
import { checkSpace, isFull, noSpace, publish, readMarker, sizeOf, stage } from './volume.ts';
import type { Staging } from './volume.ts';

/** Brings the weights onto the volume, unless they are there. */
export async function fetchWeights(config: Config, report: Report, stop: AbortSignal): Promise<Marker> {
  const { root, uri } = config;
  const present = await readMarker(root, uri);
  if (present) return present;
  let told = '';
  const lock = await takeLock(config, stop, async (holder) => {
    if (told !== holder) report.line({ message: `the volume is in use by ${holder}; waiting` });
    told = holder;
    return (await readMarker(root, uri)) !== undefined;
  });
  try {
    return (
      (await readMarker(root, uri)) ?? (await bring(config, report, AbortSignal.any([stop, ...signalOf(lock)]), lock))
    );
  } finally {
    await lock?.release();
  }
}

/** Waits until another fetcher has brought the weights. */
export async function waitForWeights(config: Config, report: Report, pause: () => Promise<void>): Promise<Marker> {
  report.line({ message: 'waiting until the weights are there' });
  for (;;) {
    const marker = await readMarker(config.root, config.uri);
    if (marker) return marker;
    await pause();
  }
}

const signalOf = (lock: Lock | undefined): AbortSignal[] => (lock ? [lock.signal] : []);

async function bring(config: Config, report: Report, signal: AbortSignal, lock: Lock | undefined): Promise<Marker> {
  let retrying: string | undefined;
  const http = new Http(config, signal, (cause, ms) => {
    retrying = cause;
    report.line({ retrying, inSeconds: Math.round(ms / 1000) });
  });
  const source = sourceOf(config.source, http, config.env);
  const listing = await source.list();
  retrying = undefined;
  checkNames(listing.files.map(({ path }) => path));
  if (listing.files.length === 0) throw new FetchError('there is no file to fetch: check model.uri', EXIT.notFound);
  const progress = { bytes: 0, totalBytes: listing.files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) };
  report.line({ message: `fetching ${listing.files.length} files`, revision: listing.revision, ...progress });
  const ticker = setInterval(() => report.line({ ...progress, retrying }), config.progressMs);
  try {
    return await withSpaceTold(progress, async () => {
      const staging = await stage(config.root, config.uri, listing);
      await checkSpace(config.root, progress.totalBytes - (await stagedBytes(listing, staging)), progress.totalBytes);
      const assertHeld = (): void => lock?.assertHeld();
      const count = (bytes: number): void => {
        progress.bytes += bytes;
        if (bytes > 0) retrying = undefined;
      };
      await inParallel(config.parallel, listing.files, (file) =>
        download(file, { source, http, staging, count, assertHeld }),
      );
      const folder = await layOut(config.source, listing, staging, signal);
      assertHeld();
      const { uri } = config;
      const marker = { uri, revision: listing.revision, files: listing.files.length, bytes: progress.bytes };
      await publish(config.root, staging, folder, marker);
      return marker;
    });
  } finally {
    clearInterval(ticker);
    report.line({ ...progress });
  }
}

function sourceOf(uri: FetchedUri, http: Http, env: Environment): Source {
  switch (uri.scheme) {
    case 'hf':
      return new HuggingFace(uri, http, env);
    case 's3':
      return new S3(uri, http, env);
    case 'gs':
      return new Gcs(uri, http, env);
    case 'az':
      return new Azure(uri, http, env);
    case 'https':
      return new Https(uri, http, env);
  }
}

/** The folder that becomes the model: the files as they are, or what the one archive among them holds. */
async function layOut(uri: FetchedUri, listing: Listing, staging: Staging, signal: AbortSignal): Promise<string> {
  const [only] = listing.files;
  if (uri.scheme !== 'https' || only === undefined || !isArchive(only.path)) return staging.files;
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

async function withSpaceTold<T>(progress: Progress, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw isFull(error) ? noSpace(Math.max(progress.totalBytes, progress.bytes)) : error;
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
