import { createReadStream } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EXIT } from '../constructs/parts/weights/index.ts';
import { verifierOf } from './checksum.ts';
import type { Checksum, Verifier } from './checksum.ts';
import { FetchError, passing } from './errors.ts';
import type { Http } from './http.ts';
import { TRICKLE_BYTES } from './limits.ts';
import type { RemoteFile, Source } from './source.ts';
import { sizeOf } from './volume.ts';
import type { Staging } from './volume.ts';

/** What a download works with. */
export interface Context {
  readonly source: Source;
  readonly http: Http;
  readonly staging: Staging;
  /** Told of every byte that is there, and of those that must be fetched again (as a negative number). */
  readonly count: (bytes: number) => void;
  /** Throws where we may not write any more. */
  readonly assertHeld: () => void;
}

/**
 * Brings one file: from where an earlier run stopped, verified, synced, and only then under its name among the finished
 * files. A file that does not match its checksum is fetched again as a whole.
 */
export async function download(file: RemoteFile, context: Context): Promise<void> {
  const finished = join(context.staging.files, file.path);
  const have = await sizeOf(finished);
  if (have !== undefined) {
    context.count(have);
    return;
  }
  const part = join(context.staging.parts, file.path);
  await mkdir(dirname(part), { recursive: true });
  await mkdir(dirname(finished), { recursive: true });
  const checksum = await context.source.checksum(file);
  const first = await attempt(file, part, checksum, context);
  if (first !== undefined) {
    const second = await attempt(file, part, checksum, context);
    if (second !== undefined) {
      throw new FetchError(
        `${file.path} is damaged at its source (${second}, twice): upload it again, or take another revision`,
        EXIT.corrupt,
      );
    }
  }
  await rename(part, finished);
}

/** Brings all of a file into its part; where the content is wrong, removes the part and says what is wrong. */
async function attempt(
  file: RemoteFile,
  path: string,
  checksum: Checksum | undefined,
  context: Context,
): Promise<string | undefined> {
  const part = await Part.open(path, checksum, context);
  try {
    await context.http.persist(async (gotOn) => {
      if (part.bytes > (file.bytes ?? Number.POSITIVE_INFINITY)) await part.restart();
      if (part.bytes !== file.bytes) await receive(file, part, context, gotOn);
    });
    const mismatch = part.mismatch();
    if (mismatch === undefined) await part.sync();
    else await part.restart();
    return mismatch;
  } finally {
    await part.close();
  }
}

async function receive(file: RemoteFile, part: Part, context: Context, gotOn: () => void): Promise<void> {
  const answer = await context.source.open(file, part.bytes);
  if (answer.status !== 206 && part.bytes > 0) await part.restart();
  let fresh = 0;
  for await (const chunk of answer.chunks()) {
    context.assertHeld();
    await part.write(chunk);
    fresh += chunk.length;
    // A host that sends a byte and hangs up, each time, does not get on.
    if (fresh >= TRICKLE_BYTES) gotOn();
    if (file.bytes !== undefined && part.bytes > file.bytes) break;
  }
  if (file.bytes !== undefined && part.bytes !== file.bytes) {
    throw passing(`${file.path} came with ${part.bytes} bytes, not ${file.bytes}`);
  }
}

/** A file under way: what is written is also hashed, in order. */
class Part {
  readonly #handle: FileHandle;
  readonly #checksum: Checksum | undefined;
  readonly #context: Context;
  #verifier: Verifier;
  #bytes = 0;

  private constructor(handle: FileHandle, checksum: Checksum | undefined, context: Context) {
    this.#handle = handle;
    this.#checksum = checksum;
    this.#context = context;
    this.#verifier = verifierOf(checksum);
  }

  /** Opens a part; hashes what an earlier run left in it. */
  static async open(path: string, checksum: Checksum | undefined, context: Context): Promise<Part> {
    const left = (await sizeOf(path)) !== undefined;
    const part = new Part(await open(path, left ? 'r+' : 'w'), checksum, context);
    if (left) for await (const chunk of createReadStream(path)) part.#add(chunk as Buffer);
    return part;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async write(chunk: Uint8Array): Promise<void> {
    let written = 0;
    while (written < chunk.length) {
      const { bytesWritten } = await this.#handle.write(chunk, written, chunk.length - written, this.#bytes + written);
      written += bytesWritten;
    }
    this.#add(chunk);
  }

  async restart(): Promise<void> {
    await this.#handle.truncate(0);
    this.#context.count(-this.#bytes);
    this.#bytes = 0;
    this.#verifier = verifierOf(this.#checksum);
  }

  mismatch(): string | undefined {
    return this.#verifier.mismatch();
  }

  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #add(chunk: Uint8Array): void {
    this.#verifier.update(chunk);
    this.#bytes += chunk.length;
    this.#context.count(chunk.length);
  }
}
