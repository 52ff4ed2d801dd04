import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { cacheFolder } from '../../cluster/binaries.ts';
import { SPLITS } from '../examples/model-serving/splits.ts';
import { installPackages } from '../real/images/uv.ts';
import { run } from '../support/run.ts';
import { membersOf } from '../support/split-members.ts';

const FOLDER = join(import.meta.dirname, 'sglang');

/** What `flags.py` tells of one command line. */
interface ReadLine {
  readonly error?: string;
  readonly ranks?: readonly number[];
  readonly tensor?: number;
  readonly pipeline?: number;
  readonly data?: number;
  readonly sharesAttention?: boolean;
}

let packages: string;

beforeAll(async () => {
  packages = await sglang();
}, 600_000);

/** The package of SGLang alone, without what it depends on; 24 MB to download, once. */
async function sglang(): Promise<string> {
  const requirements = join(FOLDER, 'requirements.txt');
  const hash = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(cacheFolder(), 'sglang', hash);
  if (existsSync(folder)) return folder;
  mkdirSync(join(cacheFolder(), 'sglang'), { recursive: true });
  const partial = mkdtempSync(`${folder}-`);
  await installPackages(requirements, partial);
  renameSync(partial, folder);
  return folder;
}

/** What SGLang makes of command lines. */
async function readBySglang(lines: readonly (readonly string[])[]): Promise<readonly ReadLine[]> {
  const { code, stdout, stderr } = await run('python3', [join(FOLDER, 'flags.py'), packages, JSON.stringify(lines)]);
  expect(code, stderr.slice(-2_000)).toBe(0);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as readonly ReadLine[];
}

const splits = SPLITS.filter(({ engine }) => engine === 'sglang');

test('SGLang takes each split that is accepted, and gives each rank to one pod', async () => {
  const lines = await readBySglang(splits.flatMap((split) => membersOf(split, '/models/weights')));
  let at = 0;
  for (const { title, nodes, gpu, parallelism } of splits) {
    const pods = lines.slice(at, (at += nodes));
    expect(
      pods.filter(({ error }) => error !== undefined),
      title,
    ).toEqual([]);
    // Whole copies on one node have ranks of their own each.
    const [first] = pods;
    const copies = first?.sharesAttention === true ? 1 : (first?.data ?? 0);
    expect(copies === 1 || copies === parallelism.data, title).toBe(true);
    const ofPod = Math.max(1, gpu) / copies;
    const wanted = Array.from({ length: nodes }, (_, pod) =>
      Array.from({ length: ofPod }, (_, rank) => pod * ofPod + rank),
    );
    expect(
      pods.map(({ ranks }) => ranks),
      title,
    ).toEqual(wanted);
  }
});

const on = (...args: readonly string[]) => [
  '--model-path=/m',
  '--nnodes=2',
  '--dist-init-addr=10.0.0.1:20000',
  ...args,
];

test('SGLang has none of the splits that are refused', async () => {
  const [copies, ...stages] = await readBySglang([
    on('--tp-size=4', '--dp-size=2'),
    ...[0, 1].map((rank) => on('--tp-size=4', '--pp-size=3', `--node-rank=${rank}`)),
  ]);
  expect(copies?.error).toContain('multi-node data parallel is not supported unless dp attention');
  const held = new Set(stages.flatMap(({ ranks = [] }) => ranks));
  expect(held.size).toBeLessThan(12);
});

test('SGLang has no draft models beside stages', async () => {
  const line = ['--model-path=/m', '--tp-size=2', '--pp-size=2', '--speculative-algorithm=EAGLE'];
  const [read] = await readBySglang([line]);
  expect(read?.error).toContain('Pipeline parallelism is not compatible');
});

test('SGLang refuses a flag that it does not know', async () => {
  const [read] = await readBySglang([['--model-path=/m', '--no-such-flag=1']]);
  expect(read?.error).toContain('SystemExit');
});
