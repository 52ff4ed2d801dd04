import { expect, test } from 'vitest';
import { selfSigned } from './support/certificate.ts';
import { makeVolume } from './support/fetcher.ts';
import { startHost } from './support/host.ts';
import { startHub, weights } from './support/hub.ts';

const uri = 'hf://acme/tiny';

/** An origin on which nobody listens. */
async function closedOrigin(): Promise<string> {
  await using host = await startHost(() => undefined);
  return host.origin;
}

test('each try that fails says why, before the next one', async () => {
  await using volume = await makeVolume();
  const HF_ENDPOINT = await closedOrigin();
  const ended = await volume.run({ TRUNNION_URI: uri, HF_ENDPOINT, TRUNNION_ATTEMPTS: '3' });
  const causes = ended.lines.filter(({ retrying }) => retrying !== undefined);
  expect(causes).toHaveLength(2);
  for (const { retrying, inSeconds } of causes) {
    expect(retrying).toMatch(/^no connection to http:.* \(is this egress allowed\?\): .*ECONNREFUSED/);
    expect(inSeconds).toBeTypeOf('number');
  }
  expect(ended.code).toBe(1);
});

test('a line of progress tells the cause as long as nothing has come since', async () => {
  const content = weights(200_000);
  await using hub = await startHub({
    'model.safetensors': { content, fault: (time) => (time === 0 ? { cutAfter: 64 * 1024 } : { pauseMs: 20 }) },
  });
  await using volume = await makeVolume();
  const env = { TRUNNION_URI: uri, HF_ENDPOINT: hub.origin, TRUNNION_RETRY_MS: '500' };
  const ended = await volume.run(env);
  expect(ended.code).toBe(0);
  const progress = ended.lines.filter(({ bytes }) => bytes !== undefined);
  expect(progress.some(({ retrying }) => typeof retrying === 'string')).toBe(true);
  expect(progress.at(-1)).not.toHaveProperty('retrying');
});

test('a certificate that is not trusted is reported at once, with what to do, and not tried again', async () => {
  await using host = await startHost(() => undefined, selfSigned());
  await using volume = await makeVolume();
  const ended = await volume.run({ TRUNNION_URI: `${host.origin}/model.gguf` });
  expect(ended.code).toBe(64);
  expect(ended.lastWord).toMatch(/certificate of https:.* is not trusted \(.*\): mount .* NODE_EXTRA_CA_CERTS$/);
  expect(ended.lines.filter(({ retrying }) => retrying !== undefined)).toEqual([]);
});

test.each(['minio.storage:9000', 'ftp://minio.storage'])(
  'a variable that names its host as %s is reported at once',
  async (AWS_ENDPOINT_URL) => {
    await using volume = await makeVolume();
    const ended = await volume.run({ TRUNNION_URI: 's3://models/llama', AWS_ENDPOINT_URL });
    expect(ended.code).toBe(64);
    expect(ended.lastWord).toContain('is no http URL: check model.uri, and the variable of its host');
  },
);
