import { expect, test, vi } from 'vitest';
import { removed } from '../../../cli/install/remove.ts';
import { ApiError } from '../../../operator/kube/client/errors.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';

const ref = { namespace: 'trunnion-system', name: 'trunnion-operator' };

test('what was there was removed, also where it is gone at once', async () => {
  const client = { delete: vi.fn(async () => undefined) };
  expect(await removed(client, TYPES.deployment, ref)).toBe(true);
  expect(client.delete).toHaveBeenCalledWith(TYPES.deployment, ref, {
    propagationPolicy: 'Background',
    mustExist: true,
  });
});

test('what was not there was not removed', async () => {
  const client = { delete: async () => Promise.reject(new ApiError(404, { message: 'not found' })) };
  expect(await removed(client, TYPES.deployment, ref)).toBe(false);
});

test('what may not be removed fails', async () => {
  const client = { delete: async () => Promise.reject(new ApiError(403, { message: 'forbidden' })) };
  await expect(removed(client, TYPES.deployment, ref)).rejects.toThrow('forbidden');
});
