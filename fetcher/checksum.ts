import { createHash } from 'node:crypto';
import { crc32c } from './crc32c.ts';

/** What a host says of a file's content. */
export type Checksum =
  | { readonly algorithm: 'sha256' | 'md5'; readonly hex: string }
  /** Of Git: SHA-1 of a header with the size, and the content. */
  | { readonly algorithm: 'git-blob'; readonly hex: string; readonly bytes: number }
  | { readonly algorithm: 'crc32c'; readonly hex: string }
  /** The ETag of a multipart upload: MD5 of the MD5s of its parts, a dash, and how many there are. */
  | { readonly algorithm: 'md5-of-parts'; readonly hex: string; readonly partBytes: number };

/** Takes a file's content in order, and says at its end whether it is what the host says. */
export interface Verifier {
  update(chunk: Uint8Array): void;
  /** What it got where it is not what was meant; undefined where all is well. */
  mismatch(): string | undefined;
}

/** A verifier of a checksum; one that accepts everything where the host gives none. */
export function verifierOf(checksum: Checksum | undefined): Verifier {
  if (!checksum) return { update: () => undefined, mismatch: () => undefined };
  const digest = digestOf(checksum);
  return {
    update: (chunk) => digest.update(chunk),
    mismatch: () => {
      const got = digest.hex();
      return got === checksum.hex ? undefined : `${checksum.algorithm} is ${got}, not ${checksum.hex}`;
    },
  };
}

interface Digest {
  update(chunk: Uint8Array): void;
  hex(): string;
}

function digestOf(checksum: Checksum): Digest {
  switch (checksum.algorithm) {
    case 'sha256':
    case 'md5':
      return hashDigest(checksum.algorithm);
    case 'git-blob': {
      const digest = hashDigest('sha1');
      digest.update(Buffer.from(`blob ${checksum.bytes}\0`));
      return digest;
    }
    case 'crc32c': {
      let value = 0;
      return {
        update: (chunk) => {
          value = crc32c(chunk, value);
        },
        hex: () => value.toString(16).padStart(8, '0'),
      };
    }
    case 'md5-of-parts':
      return partsDigest(checksum.partBytes);
  }
}

function hashDigest(algorithm: string): Digest {
  const hash = createHash(algorithm);
  return { update: (chunk) => void hash.update(chunk), hex: () => hash.digest('hex') };
}

function partsDigest(partBytes: number): Digest {
  const whole = createHash('md5');
  let part = createHash('md5');
  let inPart = 0;
  let parts = 0;
  const endPart = (): void => {
    whole.update(part.digest());
    part = createHash('md5');
    inPart = 0;
    parts += 1;
  };
  return {
    update: (chunk) => {
      let rest = chunk;
      while (rest.length > 0) {
        const taken = rest.subarray(0, partBytes - inPart);
        part.update(taken);
        inPart += taken.length;
        if (inPart === partBytes) endPart();
        rest = rest.subarray(taken.length);
      }
    },
    hex: () => {
      if (inPart > 0) endPart();
      return `${whole.digest('hex')}-${parts}`;
    },
  };
}

/** A checksum that is told in base64. */
export const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');
