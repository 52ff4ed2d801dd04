import { expect, test } from 'vitest';
import { ApiError } from '../../../cluster/api.ts';
import type { Api } from '../../../cluster/api.ts';
import { apiReady } from '../../../cluster/equip.ts';

/** A client whose server answers all with an error. */
const failing = (error: Error): Api => {
  const fail = () => Promise.reject(error);
  return { get: fail, post: fail, apply: fail, delete: fail, close: () => Promise.resolve() };
};

const coded = (code: string): Error => Object.assign(new Error(code), { code });

test.each([
  ['refuses', new ApiError(500, 'not yet')],
  ['is not there yet', coded('ECONNREFUSED')],
  ['breaks off', coded('ECONNRESET')],
  ['is too busy to take a connection', coded('UND_ERR_CONNECT_TIMEOUT')],
])('an API server that %s is waited for', async (_, error) => {
  expect(await apiReady(failing(error))).toBeUndefined();
});

test('what waiting does not fix is reported at once', async () => {
  await expect(apiReady(failing(coded('DEPTH_ZERO_SELF_SIGNED_CERT')))).rejects.toThrow('SELF_SIGNED');
});
