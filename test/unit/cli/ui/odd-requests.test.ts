import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { served } from './support/model.ts';

/** What comes back for these bytes, until the connection ends. */
async function answerTo(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).write(bytes);
  return text(socket);
}

const OPEN = 'GET /api/session HTTP/1.1\r\n';
const CLOSE = 'Connection: close\r\n\r\n';

/** HOST and TOKEN stand for the lines that the page sends. */
test.for([
  ['without a name, as HTTP/1.0 allows', 'GET / HTTP/1.0\r\n\r\n', 421],
  ['without a name', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['with two names', `${OPEN}Host: evil.example.com\r\nHOSTTOKEN${CLOSE}`, 421],
  ['with two tokens', `${OPEN}HOSTAuthorization: Bearer x\r\nTOKEN${CLOSE}`, 401],
  ['with two origins', `${OPEN}HOSTTOKENOrigin: null\r\nOrigin: null\r\n${CLOSE}`, 403],
  ['to another server', `GET http://evil.example.com/api/session HTTP/1.1\r\nHOSTTOKEN${CLOSE}`, 404],
  ['with a header of 20 kB', `GET / HTTP/1.1\r\nHOSTX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  [
    'with two lengths',
    `POST /api/chat HTTP/1.1\r\nHOSTTOKENContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  [
    'with a body that nobody wants',
    `POST /api/session HTTP/1.1\r\nHOSTTOKENContent-Length: 1000000000\r\n\r\nxxx`,
    405,
  ],
  ['of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n', 400],
  ['of the page', `${OPEN}HOSTTOKEN${CLOSE}`, 200],
] as const)('a request %s is answered, and the next one as well', async ([, bytes, status]) => {
  const { port, token } = await served();
  const lines = bytes
    .replace('HOST', `Host: 127.0.0.1:${port}\r\n`)
    .replace('TOKEN', `Authorization: Bearer ${token}\r\n`);
  expect(await answerTo(port, lines)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const again = `${OPEN}Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${CLOSE}`;
  expect(await answerTo(port, again)).toMatch(/^HTTP\/1\.1 200 /);
});

test('nobody is led to another server', async () => {
  const { port } = await served();
  expect(await answerTo(port, `CONNECT evil.example.com:443 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)).toBe('');
});
