import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { addressBytes } from './address.ts';

/** A certificate and its private key, as PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** The time that stands for no end (RFC 5280, 4.1.2.5). */
const NEVER = Date.parse('9999-12-31T23:59:59Z');

/** Object identifiers, in the bytes that DER has for them. */
const OID = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  extKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
  clientAuth: '2b06010505070302',
} as const;

/** The types of DER that a certificate is made of: ITU-T X.690. */
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  utcTime: 0x17,
  generalizedTime: 0x18,
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
  ipAddress: 0x87,
} as const;

/**
 * A certificate that signs itself (RFC 5280): for a server, and for clients that have the very same one. Node.js makes
 * keys, and no certificates. It has no beginning that a wrong clock could miss.
 *
 * @param name - of whom it is
 * @param hosts - under which names and addresses its server is asked, beside `localhost` and 127.0.0.1
 * @param until - when it ends, in milliseconds since the epoch; it has no end where it is left out
 */
export function selfSigned(name: string, hosts: readonly string[] = [], until = NEVER): KeyedCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const subject = sequence(der(TAG.set, sequence(oid(OID.commonName), der(TAG.utf8String, Buffer.from(name)))));
  const toBeSigned = sequence(
    der(TAG.version, integer(Buffer.from([2]))),
    // At most 20 bytes, and positive.
    integer(Buffer.from([0x01, ...randomBytes(15)])),
    algorithm,
    subject,
    sequence(der(TAG.utcTime, Buffer.from('200101000000Z')), time(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(TAG.extensions, der(TAG.sequence, Buffer.concat(extensions(hosts)))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  return {
    certificate: pem(sequence(toBeSigned, algorithm, der(TAG.bitString, Buffer.from([0]), signature))),
    key: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
  };
}

const extensions = (hosts: readonly string[]): readonly Buffer[] => [
  extension(OID.basicConstraints, true, sequence(der(TAG.boolean, Buffer.from([0xff])))),
  // digitalSignature and keyCertSign.
  extension(OID.keyUsage, true, der(TAG.bitString, Buffer.from([2, 0b1000_0100]))),
  extension(OID.extKeyUsage, false, sequence(oid(OID.serverAuth), oid(OID.clientAuth))),
  extension(
    OID.subjectAltName,
    false,
    der(TAG.sequence, Buffer.concat(['localhost', '127.0.0.1', ...hosts].map(alternativeName))),
  ),
];

const extension = (id: string, critical: boolean, value: Buffer): Buffer =>
  sequence(oid(id), ...(critical ? [der(TAG.boolean, Buffer.from([0xff]))] : []), der(TAG.octetString, value));

const alternativeName = (host: string): Buffer =>
  isIP(host) === 0 ? der(TAG.dnsName, Buffer.from(host)) : der(TAG.ipAddress, addressBytes(host));

/** UTCTime has two digits for the year, and ends with 2049 (RFC 5280, 4.1.2.5). */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  const isShort = Number(digits.slice(0, 4)) < 2050;
  return isShort ? der(TAG.utcTime, Buffer.from(digits.slice(2))) : der(TAG.generalizedTime, Buffer.from(digits));
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(TAG.sequence, ...parts);
const integer = (bytes: Buffer): Buffer => der(TAG.integer, bytes);
const oid = (hex: string): Buffer => der(TAG.oid, Buffer.from(hex, 'hex'));

/** One value: its type, its length, its bytes. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(value.length), value]);
}

/** Below 128 in one byte; else the number of bytes first. */
function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
