import { expect, test } from 'vitest';
import { errorFields } from '../../../operator/engine/telemetry/log.ts';
import { ApiError, TransportError } from '../../../operator/kube/index.ts';

test.for([
  new TransportError('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED', false, new Error('inner')),
  ApiError.from(403, '{"kind":"Status","message":"no"}'),
])('of %o there is no stack in the log: its message says all', (error) => {
  expect(errorFields(error)).toMatchObject({ type: error.name, message: expect.stringContaining(error.message) });
  expect(JSON.stringify(errorFields(error))).not.toMatch(/ at .*\.ts/);
});

test('of what is a mistake of ours there is one', () => {
  expect(errorFields(new TypeError('a is not a function'))).toMatchObject({
    type: 'TypeError',
    stack: expect.stringContaining('log-errors.test.ts'),
  });
});
