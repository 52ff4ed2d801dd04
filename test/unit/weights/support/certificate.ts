import { generateKeyPairSync, sign } from 'node:crypto';

/** What a TLS server needs, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const DAY_MS = 86_400_000;

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const UTC_TIME = 0x17;
const UTF8_STRING = 0x0c;

/**
 * A self-signed certificate: X.509 by hand, so that no test needs openssl or a key in the repository.
 *
 * @param name - the name of the server in DNS; left out, it is for 127.0.0.1
 * @param days - until when it is valid, from now on
 */
export function selfSigned(name?: string, days = 1): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(SEQUENCE, oid('2a8648ce3d040302'));
  const common = Buffer.from(name ?? '127.0.0.1');
  const subject = der(SEQUENCE, der(SET, der(SEQUENCE, oid('550403'), der(UTF8_STRING, common))));
  const validity = der(SEQUENCE, time(Date.now() - 10 * DAY_MS), time(Date.now() + days * DAY_MS));
  const alternative = name === undefined ? der(0x87, Buffer.from([127, 0, 0, 1])) : der(0x82, Buffer.from(name));
  const address = der(SEQUENCE, alternative);
  const extension = der(SEQUENCE, oid('551d11'), der(OCTET_STRING, address));
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    ecdsaWithSha256,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension)),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey));
  const certificate = der(SEQUENCE, body, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

/** YYMMDDhhmmssZ. */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(UTC_TIME, Buffer.from(digits.slice(2)));
}
