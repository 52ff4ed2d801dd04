import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyedCertificate } from '../../certificates/index.ts';
import { isPair } from './certificate.ts';

/**
 * A certificate that somebody else makes and renews (cert-manager), from the files of a Secret that is mounted.
 *
 * @throws Error where they are not there, or do not belong together: they may be about to be replaced
 */
export async function certificateIn(directory: string): Promise<KeyedCertificate> {
  const [certificate, key] = await Promise.all(
    ['tls.crt', 'tls.key'].map((name) => readFile(join(directory, name), 'utf8')),
  );
  const read = { certificate: certificate ?? '', key: key ?? '' };
  if (isPair(read)) return read;
  throw new Error(`tls.crt and tls.key in ${directory} must be a certificate and its key, as PEM`);
}
