import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { selfSigned, type KeyedCertificate } from '../../certificates/index.ts';

/** What all replicas serve with, and what the API server is told to trust. */
export interface SharedCertificate extends KeyedCertificate {
  /** PEM: the certificate, and those before it that a replica may still serve with. */
  readonly trusted: string;
}

const DAY_MS = 86_400_000;

/** How long a certificate is valid. */
const VALID_MS = 365 * DAY_MS;

/** How long before its end it is replaced: in that time, an operator that is away may come back. */
const RENEW_MS = 120 * DAY_MS;

/** The subject of a certificate has 64 characters at most (RFC 5280, ub-common-name), and a time is a part of it. */
const LONGEST_NAME = 39;

/** Certificates of the past that are still trusted. */
const MOST_TRUSTED = 3;

/**
 * The certificate that must be shared, for the one that is.
 *
 * @param name - of the operator
 * @param hosts - by which the API server asks
 * @param now - milliseconds since the epoch
 * @returns the same one where it is good
 */
export function renewed(
  shared: SharedCertificate | undefined,
  { name, hosts, now }: { readonly name: string; readonly hosts: readonly string[]; readonly now: number },
): SharedCertificate {
  if (shared !== undefined && isGood(shared, hosts, now)) return shared;
  // Of two that are trusted, the right one is found by its subject.
  const subject = `${name.slice(0, LONGEST_NAME)} ${new Date(now).toISOString()}`;
  const made = selfSigned(subject, hosts, now + VALID_MS);
  const before = shared === undefined ? [] : blocksOf(shared.trusted).filter((pem) => endOf(pem) > now);
  return { ...made, trusted: [made.certificate, ...before.slice(0, MOST_TRUSTED - 1)].join('') };
}

/** Whether a certificate belongs to its key. */
export function isPair({ certificate, key }: KeyedCertificate): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** When a certificate ends, in milliseconds since the epoch; 0 where it can't be read. */
export function endOf(pem: string): number {
  try {
    return new X509Certificate(pem).validToDate.getTime();
  } catch {
    return 0;
  }
}

/** Whether all certificates of some PEM are among those of another. */
export function isTrusted(pem: string, bundle: string): boolean {
  const trusted = new Set(blocksOf(bundle));
  return blocksOf(pem).every((block) => trusted.has(block));
}

function isGood(shared: SharedCertificate, hosts: readonly string[], now: number): boolean {
  const { certificate, trusted } = shared;
  if (!isPair(shared) || !isTrusted(certificate, trusted) || endOf(certificate) - now < RENEW_MS) return false;
  const read = new X509Certificate(certificate);
  return hosts.every((host) => (isIP(host) === 0 ? read.checkHost(host) : read.checkIP(host)) !== undefined);
}

const END = '-----END CERTIFICATE-----';

/** The certificates in PEM, each in one form. */
function blocksOf(pem: string): readonly string[] {
  return pem.split(END).flatMap((part) => {
    const begin = part.indexOf('-----BEGIN CERTIFICATE-----');
    if (begin < 0) return [];
    const lines = part
      .slice(begin)
      .split('\n')
      .map((line) => line.trim());
    return [`${[...lines.filter(Boolean), END].join('\n')}\n`];
  });
}
