import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseServe } from '../../real/engine/command-line.ts';
import { readKnobs } from '../../real/engine/knobs.ts';
import { Engine } from '../../real/engine/server.ts';
import { blocks, commandsOf, isTyped, languageOf } from '../../support/markdown.ts';
import { run } from '../../support/run.ts';

const page = (await blocks()).filter(({ file }) => file === 'docs/recipes/openai-clients.md');

/** The commands of the page that begin with a word. */
const commandsWith = (word: string): readonly string[] =>
  page
    .filter(isTyped)
    .flatMap(commandsOf)
    .map(({ line }) => line)
    .filter((line) => line.startsWith(`${word} `));

const never = (): never => {
  throw new Error('nothing gives it orders here');
};

const engine = new Engine(
  parseServe(['serve', '/models/weights', '--served-model-name=qwen']),
  readKnobs({ LIGHT_TOKENS_PER_SECOND: '1000', LIGHT_EOS_AFTER: '8' }),
  { allocate: never, exit: never, hang: never },
);

let folder = '';
let origin = '';

beforeAll(async () => {
  engine.server.listen(0, '127.0.0.1');
  await once(engine.server, 'listening');
  origin = `http://127.0.0.1:${(engine.server.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), 'trunnion-clients-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(() => {
  engine.server.closeAllConnections();
  engine.server.close();
  rmSync(folder, { recursive: true });
});

test.for(page.filter((block) => languageOf(block) === 'ts'))(
  'the TypeScript of the page asks a model',
  async ({ text }) => {
    writeFileSync(join(folder, 'ask.ts'), text);
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    const env = { ...process.env, OPENAI_BASE_URL: `${origin}/v1` };
    const { code, stdout, stderr } = await run(process.execPath, ['ask.ts'], { cwd: folder, env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // A line, and a stream behind it.
    expect(stdout).toMatch(/^\S.*\n\S/);
  },
);

test.for(commandsWith('curl'))('%s', async (command) => {
  const { code, stdout } = await run('bash', ['-c', command.replace('http://127.0.0.1:8000', origin)]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ model: 'qwen', choices: [{ message: { role: 'assistant' } }] });
});
