import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { selfSigned } from '../../../cluster/certificate.ts';

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
