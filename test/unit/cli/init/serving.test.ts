import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../../../cli/program.ts';
import { GPUS } from '../../../../constructs/parts/sizing/index.ts';
import { PUBLIC_MODELS } from '../../../support/model-configs.ts';
import { trunnion } from '../../../support/trunnion.ts';

interface Serving {
  readonly spec: {
    readonly storage?: { readonly size: string; readonly accessMode?: string };
    readonly engine: { readonly args: readonly string[] };
    readonly resources: Readonly<Record<string, unknown>>;
    readonly model: Readonly<Record<string, unknown>>;
  };
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunnion-init-'));
  for (const { name, config } of PUBLIC_MODELS) writeFileSync(fileOf(name), JSON.stringify(config));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (model: string): string => join(folder, `${model.replaceAll('/', '-')}.json`);

const QWEN = 'Qwen/Qwen2.5-7B-Instruct';

const init = (model: string, ...more: string[]) =>
  trunnion(['init', 'serving', 'it', '--model', `hf://${model}`, '--config', fileOf(model), ...more]);

test('it writes a resource whose sizes are explained', async () => {
  const { code, stdout, stderr } = await init(QWEN, '--gpu', 'A100-80GB');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect((parse(stdout) as Serving).spec).toMatchObject({
    model: { uri: `hf://${QWEN}` },
    storage: { size: '17Gi' },
    engine: { type: 'vllm', args: ['--max-model-len=8192'] },
    resources: { gpu: 1, gpuProduct: 'NVIDIA-A100-SXM4-80GB', cpu: '4', memory: '16Gi' },
    replicas: 1,
  });
  expect(stdout).toContain('# 7.6 billion parameters of 16 bits: 14.2 GiB of weights');
  expect(stdout).toContain('# A token takes 56 KiB of KV cache');
});

test('whatever model, GPU and wishes, it writes what trunnion render takes, or says what would fit', async () => {
  const wishes = fc.record({
    model: fc.constantFrom(...PUBLIC_MODELS.map(({ name }) => name)),
    gpu: fc.constantFrom(...GPUS.map(({ name }) => name), 'none'),
    gpus: fc.option(fc.integer({ min: 1, max: 8 })),
    maxLen: fc.option(fc.constantFrom(1024, 8192, 32_768)),
    replicas: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(wishes, async ({ model, gpu, gpus, maxLen, replicas }) => {
      const more = [...(gpus === null ? [] : [`--gpus=${gpus}`]), ...(maxLen === null ? [] : [`--max-len=${maxLen}`])];
      const { code, stdout, stderr } = await init(model, '--gpu', gpu, `--replicas=${replicas}`, ...more);
      if (code !== 0) {
        expect(stderr).toMatch(/What would fit: |it can be split over |takes up to /);
        return;
      }
      const rendered = await trunnion(['render', '-f', '-'], stdout);
      expect({ code: rendered.code, problems: rendered.stderr }).toEqual({ code: 0, problems: '' });
      expect(stdout.split('\n').filter((line) => /undefined|NaN|Infinity|null/.test(line))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('several replicas share one volume', async () => {
  const { stdout } = await init(QWEN, '--gpu', 'L4', '--replicas', '3');
  expect((parse(stdout) as Serving).spec.storage).toMatchObject({ accessMode: 'ReadWriteMany' });
});

test('GPUs without bfloat16 compute with half, and those of AMD are of another resource', async () => {
  const { stdout: old } = await init(QWEN, '--gpu', 'T4');
  expect((parse(old) as Serving).spec.engine.args).toContain('--dtype=half');
  const { stdout: amd } = await init(QWEN, '--gpu', 'MI300X');
  expect((parse(amd) as Serving).spec.resources).toMatchObject({ gpuResource: 'amd.com/gpu' });
});

test('without a GPU it is for CPUs, with room for weights and cache in its memory', async () => {
  const { stdout } = await init('Qwen/Qwen2.5-0.5B-Instruct', '--gpu', 'none');
  expect((parse(stdout) as Serving).spec.resources).toEqual({ gpu: 0, cpu: '2', memory: '6Gi' });
});

test('what does not fit is told with numbers, and with what would', async () => {
  const { code, stdout, stderr } = await init('meta-llama/Llama-3.1-70B-Instruct', '--gpu', 'A100-80GB', '--gpus', '1');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    [
      'error: hf://meta-llama/Llama-3.1-70B-Instruct does not fit on 1 A100-80GB. Each would need 136 GiB, and vLLM takes 73.6 GiB of one:',
      '  weights    131 GiB',
      '  KV cache   2.5 GiB for 1 request of 8,192 tokens',
      '  overhead   2.2 GiB',
      'What would fit: --gpus 2; --gpu B200 (1), GB200 (1); the same model in 4 bits (AWQ, GPTQ), about 37 GiB in place of 131 GiB.',
      '',
    ].join('\n'),
  );
});

test.for([
  [['--gpus', '8'], /28 attention heads, which 8 GPUs can't share evenly; it can be split over 1, 2, 4/],
  [['--gpus', '0'], /--gpus must be at least 1; --gpu none is for CPUs alone/],
  [['--max-len', '128k'], /takes up to 32,768 tokens, not 131,072/],
  [['--max-len', 'long'], /It must be a number of tokens, for instance 8192 or 8k/],
  [['--gpu', 'A10O'], /--gpu "A10O" is not known; did you mean A10G, A10/],
  [['--gpu', 'banana'], /there are T4, A10G, .*, and none/],
  [['--parameters', 'many'], /--parameters must be a count such as 7B/],
  [['--model', 'hf://owner/model-GGUF'], /several models, of which model\.file names one/],
  [['--config', 'nowhere'], /nowhere can't be read/],
] as const)('%j is told', async ([options, words]) => {
  const { code, stdout, stderr } = await init(QWEN, '--gpu', 'A100-80GB', ...options);
  expect(stdout).toBe('');
  expect(code).toBeGreaterThan(0);
  expect(stderr).toMatch(words);
});

test('all that is missing is told at once, off a terminal', async () => {
  const { code, stderr } = await trunnion(['init', 'serving', 'it']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/missing:\n {2}--model: .*\n {2}--gpu: /);
});

test('all that is wrong is told at once', async () => {
  const { code, stderr } = await trunnion(['init', 'serving', 'it', '--model', 'qwen', '--gpu', 'A100']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/"qwen" is not a model's URI.*\n--gpu "A100" is not known/);
});

test.for([
  [['--config'], ['model', 'GPU'], [`hf://${QWEN}`, 'L4'], 0, /gpuProduct: NVIDIA-L4/],
  [['--gpu', 'H100', '--config'], ['model'], [`hf://${QWEN}`], 0, /gpuProduct: NVIDIA-H100/],
  [['--config'], ['model', 'GPU'], [`hf://${QWEN}`], 2, /missing:\n {2}--gpu: /],
] as const)('on a terminal it asks for what is missing: %j', async ([options, expected, answers, code, words]) => {
  const [asked, printed]: [string[], string[]] = [[], []];
  const ended = await run(['init', 'serving', 'it', ...options, fileOf(QWEN)], {
    out: (text) => void printed.push(text),
    log: (line) => void printed.push(line),
    paint: (_, text) => text,
    width: 80,
    confirm: () => Promise.resolve(false),
    ask: (questions) => {
      asked.push(...questions);
      return Promise.resolve(answers);
    },
    readInput: () => Promise.resolve(''),
  });
  expect(ended).toBe(code);
  expect(asked).toEqual(expected.map((word) => expect.stringContaining(word)));
  expect(printed.join('')).toMatch(words);
});

test('a name that the API server would refuse is refused, and nothing is written', async () => {
  const file = join(folder, 'refused.yaml');
  const named = ['init', 'serving', 'It Is', '--model', QWEN, '--config', fileOf(QWEN)];
  const { code, stderr } = await trunnion([...named, '--gpu', 'L4', '-o', file]);
  expect(code).toBe(2);
  expect(stderr).toContain('metadata.name');
  expect(existsSync(file)).toBe(false);
});

test('a file that is there is replaced with --force alone', async () => {
  const file = join(folder, 'kept.yaml');
  writeFileSync(file, 'mine');
  const { code, stderr } = await init(QWEN, '--gpu', 'L4', '-o', file);
  expect({ code, text: readFileSync(file, 'utf8') }).toEqual({ code: 2, text: 'mine' });
  expect(stderr).toContain('add --force to replace it');
  expect(await init(QWEN, '--gpu', 'L4', '-o', file, '--force')).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(file, 'utf8')).toContain('kind: ModelServing');
});

test('a size in the name, or of --parameters, is told to be a guess', async () => {
  const s3 = ['init', 'serving', 'it', '--gpu', 'H100', '--model'];
  const { stdout } = await trunnion([...s3, 's3://models/llama-8B-instruct/']);
  expect(stdout).toContain('guessed from "8B" in its name');
  const { stdout: given } = await trunnion([...s3, 'pvc://weights/mine', '--parameters', '7B']);
  expect(given).toContain('guessed from --parameters');
  expect((parse(given) as Serving).spec.storage).toBeUndefined();
  expect(await trunnion([...s3, 's3://models/mine/'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('give --config with its config.json, or --parameters, for instance 7B'),
  });
});

test('of a folder, the sizes of the files count', async () => {
  writeFileSync(join(folder, 'config.json'), JSON.stringify(PUBLIC_MODELS[1]?.config));
  for (const part of [1, 2]) {
    const file = join(folder, `model-0000${part}-of-00002.safetensors`);
    writeFileSync(file, '');
    truncateSync(file, 10 * 1024 ** 3);
  }
  const mine = ['init', 'serving', 'it', '--model', 's3://models/mine/'];
  const { stdout } = await trunnion([...mine, '--config', folder, '--gpu', 'H100']);
  expect(stdout).toContain('20 GiB of weights');
});

test('a Secret with the token of the host goes where the spec takes it', async () => {
  const { stdout } = await init(QWEN, '--gpu', 'L4', '--secret', 'hf-token');
  expect((parse(stdout) as Serving).spec.model).toMatchObject({ credentials: { secretName: 'hf-token' } });
});
