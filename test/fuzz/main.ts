/**
 * Looks for inputs that a parser of outside bytes does not stand, with a coverage-guided fuzzer (Jazzer.js, which is
 * libFuzzer). What it finds is put into the corpus, which the unit tests go through.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { fileOf, targetOf, targets } from './targets/index.ts';

const { values } = parseArgs({
  options: {
    /** For all targets together. */
    seconds: { type: 'string', default: '3600' },
    /** Only this one. */
    target: { type: 'string' },
    /** Puts the smallest of the inputs that reached something new into the corpus. */
    keep: { type: 'boolean', default: false },
  },
});

const CORPUS = resolve(import.meta.dirname, 'corpus');
/** Below node_modules, so that what is not bundled is found from there. */
const WORK = resolve('node_modules/.cache/trunnion-fuzz');
const CLI = resolve('node_modules/@jazzer.js/core/dist/cli.js');
const ADDON = resolve(import.meta.dirname, 'support/addon.ts');

/** A program that counts its branches takes about so much longer. */
const SLOWNESS = 20;
/** Of so many inputs one is tried many times over: that takes as long as a hundred others. */
const REPEATED_EVERY = 256;
/** After so long an input has no end, in seconds. */
const HANGS_SECONDS = 60;
const LONGEST_INPUT = 4_096;
const KEPT = 30;
/** Libraries that read outside bytes for us, and that are to be gone through as our own code is. */
const READERS = ['yaml/dist', 'js-yaml'];

/** A program for the fuzzer: a target, and all of ours that it and those of its file need. */
async function program(name: string): Promise<string> {
  const outfile = join(WORK, name, 'target.cjs');
  await build({
    stdin: {
      contents: `
        import { exercise } from './target.ts';
        import * as groups from './targets/${fileOf(targetOf(name))}';
        const target = Object.values(groups).flat().find((each) => each.name === ${JSON.stringify(name)});
        export const fuzz = (bytes) => {
          const repeats = bytes.reduce((sum, byte) => sum + byte, 0) % ${REPEATED_EVERY} === 0;
          return exercise(target, bytes, { slowness: ${SLOWNESS}, repeats });
        };`,
      resolveDir: import.meta.dirname,
    },
    outfile,
    bundle: true,
    packages: 'external',
    format: 'cjs',
    platform: 'node',
    target: 'node22.19',
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': JSON.stringify(import.meta.url) },
    logLevel: 'error',
  });
  return outfile;
}

/** @returns whether nothing was found */
async function fuzz(name: string, seconds: number): Promise<boolean> {
  const home = join(WORK, name);
  rmSync(home, { recursive: true, force: true });
  const [fresh, found, corpus] = [join(home, 'new'), join(home, 'found/'), join(CORPUS, name)];
  for (const folder of [fresh, found, corpus]) mkdirSync(folder, { recursive: true });
  const instrumented = ['trunnion-fuzz', ...READERS].flatMap((part) => ['--includes', part]);
  const limits = [`-max_total_time=${seconds}`, `-max_len=${LONGEST_INPUT}`, `-artifact_prefix=${found}`];
  const args = ['--import', ADDON, CLI, await program(name), fresh, corpus, ...instrumented];
  args.push('--timeout', `${HANGS_SECONDS * 1_000}`, '--', ...limits, '-print_final_stats=1');
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  // Apart: what comes on one must not tear apart a line of the other.
  const streams = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null];
  const words = (await streams).join('\n');
  const findings = readdirSync(found);
  for (const each of findings) copyFileSync(join(found, each), join(corpus, each));
  if (values.keep) keep(fresh, corpus);
  const runs = /stat::number_of_executed_units:\s*(\d+)/.exec(words)?.[1];
  // A fuzzer that does not say what it has tried has shown nothing.
  const isWell = code === 0 && findings.length === 0 && runs !== undefined;
  console.log(
    `${isWell ? 'held' : 'FOUND'}: ${name}, ${runs ?? 'no'} inputs in ${seconds} s${isWell ? '' : `\n${tail(words)}`}`,
  );
  for (const each of findings) console.log(`  test/fuzz/corpus/${name}/${each}`);
  return isWell;
}

/** The smallest of them: what is large reaches little that is not reached by something small. */
function keep(from: string, into: string): void {
  const sizes = readdirSync(from).map((name) => ({ name, bytes: statSync(join(from, name)).size }));
  const small = sizes.toSorted((a, b) => a.bytes - b.bytes || a.name.localeCompare(b.name));
  const step = Math.max(1, Math.floor(small.length / KEPT));
  const chosen = small.filter((_, i) => i % step === 0).slice(0, KEPT);
  for (const { name } of chosen) {
    if (!existsSync(join(into, name)) && !isKnown(readFileSync(join(from, name)), into))
      copyFileSync(join(from, name), join(into, name));
  }
}

const isKnown = (bytes: Buffer, folder: string): boolean =>
  readdirSync(folder).some((name) => readFileSync(join(folder, name)).equals(bytes));

const tail = (words: string): string => words.trimEnd().split('\n').slice(-30).join('\n');

const wanted = values.target === undefined ? targets : [targetOf(values.target)];
const each = Math.max(1, Math.floor(Number(values.seconds) / wanted.length));
let held = true;
for (const { name } of wanted) held = (await fuzz(name, each)) && held;
process.exitCode = held ? 0 : 1;
