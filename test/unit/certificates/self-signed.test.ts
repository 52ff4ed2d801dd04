import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { selfSigned } from '../../../certificates/index.ts';

test('a certificate that signs itself is for this machine, for both sides, and has no end', () => {
  for (let i = 0; i < 20; i++) {
    const { certificate, key } = selfSigned('etcd');
    const read = new X509Certificate(certificate);
    expect(read.subject).toBe('CN=etcd');
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.checkIssued(read)).toBe(true);
    expect(read.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(read.checkHost('localhost')).toBe('localhost');
    expect(read.checkHost('example.com')).toBeUndefined();
    expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    expect(read.validToDate.getUTCFullYear()).toBe(9999);
    expect(key).toContain('BEGIN EC PRIVATE KEY');
  }
});

test('a certificate is for more names, where a server has them', () => {
  const read = new X509Certificate(selfSigned('keda', ['metrics.keda.svc']).certificate);
  expect(read.checkHost('metrics.keda.svc')).toBe('metrics.keda.svc');
  expect(read.checkHost('localhost')).toBe('localhost');
  expect(read.checkHost('keda.svc')).toBeUndefined();
});

test('no two certificates are the same', () => {
  expect(selfSigned('etcd').certificate).not.toBe(selfSigned('etcd').certificate);
});

test.for([
  ['2027-02-03T04:05:06Z', 'Feb  3 04:05:06 2027 GMT'],
  ['2049-12-31T23:59:59Z', 'Dec 31 23:59:59 2049 GMT'],
  ['2050-01-01T00:00:00Z', 'Jan  1 00:00:00 2050 GMT'],
] as const)('a certificate ends at %s where that is asked for', ([until, text]) => {
  expect(new X509Certificate(selfSigned('acme', [], Date.parse(until)).certificate).validTo).toBe(text);
});

test.for(['10.1.2.3', '::1', 'fd00::12:3', '1:2:3:4:5:6:7:8', 'fe80::', '::ffff:10.0.0.1'])(
  'a certificate is for the address %s',
  (address) => {
    const read = new X509Certificate(selfSigned('acme', [address]).certificate);
    expect(read.checkIP(address)).toBe(address);
    expect(read.checkIP('10.9.9.9')).toBeUndefined();
  },
);
