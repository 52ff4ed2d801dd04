import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenError } from '../../../cli/operator/listen.ts';

test.for([
  ['EADDRINUSE', '--port 8080: another program listens there. Name another port, or 0 for any that is free'],
  ['EACCES', '--port 8080: you may not listen there. Name a port of 1024 or more, or 0 for any'],
  ['EADDRNOTAVAIL', '--host 192.0.2.1: this machine has no such address. Name one that it has, or leave --host out'],
] as const)('%s says which option to change', ([code, words]) => {
  const error = Object.assign(new Error(`listen ${code}`), { code, syscall: 'listen' });
  expect(listenError(error, { port: 8080, host: '192.0.2.1' })?.message).toBe(words);
});

test.for([
  Object.assign(new Error('connect EADDRNOTAVAIL'), { code: 'EADDRNOTAVAIL', syscall: 'connect' }),
  Object.assign(new Error('listen ENOTSUP'), { code: 'ENOTSUP', syscall: 'listen' }),
  new Error('another'),
  'no error',
  undefined,
])('%s is something else', (error) => {
  expect(listenError(error, { port: 8080 })).toBeUndefined();
});

test('a port that is in use is told by what Node.js throws', async () => {
  const first = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void first.close());
  await once(first, 'listening');
  const { port } = first.address() as AddressInfo;
  const [error] = await once(createServer().listen(port, '127.0.0.1'), 'error');
  expect(listenError(error, { port })?.message).toContain(`--port ${port}: another program listens there`);
});
