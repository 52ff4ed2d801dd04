import { describe, expect, test } from 'vitest';
import { selfSigned } from '../../../certificates/index.ts';
import { endOf, isPair, isTrusted, renewed, type SharedCertificate } from '../../../operator/conversion/certificate.ts';

const NOW = Date.parse('2027-03-01T00:00:00Z');
const DAY_MS = 86_400_000;
const HOST = 'acme-conversion.acme.svc';
const ABOUT = { name: 'acme', hosts: [HOST], now: NOW };

/** A certificate with so many days before it. */
function shared(days: number, hosts: readonly string[] = [HOST]): SharedCertificate {
  const made = selfSigned('acme', hosts, NOW + days * DAY_MS);
  return { ...made, trusted: made.certificate };
}

describe('a shared certificate', () => {
  test('is made where there is none, for a year', () => {
    const made = renewed(undefined, ABOUT);
    expect(isPair(made)).toBe(true);
    expect(endOf(made.certificate)).toBe(NOW + 365 * DAY_MS);
    expect(made.trusted).toBe(made.certificate);
    expect(renewed(made, ABOUT)).toBe(made);
  });

  test('stays while it has 120 days', () => {
    const [long, short] = [shared(121), shared(119)];
    expect(renewed(long, ABOUT)).toBe(long);
    expect(renewed(short, ABOUT)).not.toBe(short);
  });

  test('is trusted beside the one that follows it, until its end', () => {
    const before = shared(119);
    const next = renewed(before, ABOUT);
    expect(next.certificate).not.toBe(before.certificate);
    expect(isTrusted(before.certificate, next.trusted)).toBe(true);
    expect(isTrusted(next.certificate, next.trusted)).toBe(true);
    const ended = renewed(shared(-1), ABOUT);
    expect(ended.trusted).toBe(ended.certificate);
  });

  test('is one of three that are trusted at most', () => {
    let one = shared(119);
    for (let times = 0; times < 5; times += 1) one = renewed({ ...one, key: '' }, ABOUT);
    expect(one.trusted.match(/BEGIN/g)).toHaveLength(3);
  });

  test.for<[string, SharedCertificate]>([
    ['without a key', { ...shared(300), key: '' }],
    ['with the key of another', { ...shared(300), key: shared(300).key }],
    ['that is no certificate', { certificate: 'text', key: 'text', trusted: 'text' }],
    ['that is empty', { certificate: '', key: '', trusted: '' }],
    ['that nobody is told to trust', { ...shared(300), trusted: shared(300).trusted }],
    ['for another host', shared(300, ['other.svc'])],
  ])('%s is replaced', ([, given]) => {
    const next = renewed(given, ABOUT);
    expect(next).not.toBe(given);
    expect(renewed(next, ABOUT)).toBe(next);
  });

  test('may be for an address', () => {
    const about = { ...ABOUT, hosts: [HOST, '10.0.0.7', 'fd00::7'] };
    const made = renewed(undefined, about);
    expect(renewed(made, about)).toBe(made);
    expect(renewed(shared(300), about)).not.toBe(made);
  });
});

test('certificates are the same in any form of PEM', () => {
  const [one, other] = [shared(1).certificate, shared(1).certificate];
  expect(isTrusted(`\n# one\n${one.replaceAll('\n', '\r\n')}`, `${other}${one}`)).toBe(true);
  expect(isTrusted(one, other)).toBe(false);
  expect(isTrusted(one, '')).toBe(false);
});
