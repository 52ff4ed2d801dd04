import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeSshKey } from '../../../../operator/kinds/distributed-training/ssh-key.ts';

/** The strings of which RFC 4251 makes a key. */
function stringsOf(blob: Buffer): readonly Buffer[] {
  if (blob.length === 0) return [];
  const end = 4 + blob.readUInt32BE(0);
  return [blob.subarray(4, end), ...stringsOf(blob.subarray(end))];
}

describe('an SSH key pair', () => {
  it('has a public key, as authorized_keys has it, that belongs to the private one', () => {
    const { privateKey, publicKey } = makeSshKey();
    expect(privateKey).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/);
    const [algorithm, blob = ''] = publicKey.split(' ');
    expect(algorithm).toBe('ecdsa-sha2-nistp521');
    const [name, curve, point = Buffer.alloc(0)] = stringsOf(Buffer.from(blob, 'base64'));
    expect([String(name), String(curve)]).toEqual(['ecdsa-sha2-nistp521', 'nistp521']);
    const { x = '', y = '' } = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' });
    expect(point[0]).toBe(4);
    expect(point).toHaveLength(133);
    expect([point.subarray(1, 67), point.subarray(67)].map((part) => part.toString('base64url'))).toEqual([x, y]);
  });

  it('is another one each time', () => {
    expect(makeSshKey().privateKey).not.toBe(makeSshKey().privateKey);
  });
});
