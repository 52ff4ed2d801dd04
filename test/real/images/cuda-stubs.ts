import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The libraries of CUDA's that PyTorch is linked to; `libcudart` is small, so it is installed. */
const STUBBED = /^lib(?:cu|nv|nccl)/;
const INSTALLED = 'libcudart.so.13';

/** Functions of these libraries, by the beginnings of their names. */
const SYMBOLS = /^_{0,2}(?:cu[A-Z]|cublas|cudnn|cufft|cupti|curand|cusolver|cusparse|nccl|nv[A-Zrst]|pnccl)/;
/** Those of `libcudart`. */
const RUNTIME = /^_{0,2}cuda[A-Z]/;

const STUB = 'libcudastub.so';

/**
 * Lets PyTorch's build for CUDA, the only one for x64 that PyPI has, be imported without 2.5 GB of CUDA's libraries: each is
 * a file that leads to one library, in which every function only returns an error.
 *
 * @param site - the folder of the installed packages
 * @throws without gcc or binutils, with what to do
 */
export function stubCuda(site: string): void {
  const folder = join(site, 'torch/lib');
  const libraries = readdirSync(folder).filter((name) => name.includes('.so'));
  const wanted = new Set<string>();
  const symbols = new Set<string>();
  for (const library of libraries) {
    const dynamic = run('readelf', '-dW', join(folder, library));
    for (const [, name = ''] of dynamic.matchAll(/\(NEEDED\)[^[\n]*\[([^\]\n]+)\]/g)) wanted.add(name);
    for (const line of run('nm', '-D', '--undefined-only', join(folder, library)).split('\n')) {
      const [kind, symbol = ''] = line.trim().split(/\s+/);
      if (kind === 'U') symbols.add(symbol.split('@')[0] ?? '');
    }
  }
  const functions = [...symbols].filter((name) => SYMBOLS.test(name) && !RUNTIME.test(name)).toSorted();
  const missing = [...wanted].filter((name) => STUBBED.test(name) && name !== INSTALLED && !libraries.includes(name));
  const source = mkdtempSync(join(tmpdir(), 'trunnion-stubs-'));
  try {
    const file = join(source, 'stub.c');
    const aliases = functions.map((name) => `int ${name}(void) __attribute__((alias("trunnion_stub")));`);
    writeFileSync(file, ['int trunnion_stub(void) { return 100; }', ...aliases, ''].join('\n'));
    run('gcc', '-shared', '-fPIC', '-fno-builtin', '-w', `-Wl,-soname,${STUB}`, '-o', join(folder, STUB), file);
    for (const name of missing) {
      const linked = ['-Wl,--no-as-needed', '-Wl,-rpath,$ORIGIN', `-L${folder}`, '-lcudastub'];
      run('gcc', '-shared', '-nostdlib', '-o', join(folder, name), `-Wl,-soname,${name}`, ...linked);
    }
  } finally {
    rmSync(source, { recursive: true });
  }
}

function run(program: string, ...args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`${program} is not on PATH. Install it: apt-get install gcc binutils`, { cause: error });
  }
}
