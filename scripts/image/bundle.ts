import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');

/** What CommonJS modules among the dependencies expect to be there. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/**
 * The programs of the operator. A thread renews the lease, another one computes what the kinds' modules of computations
 * have, and a child process loads a kubeconfig; all are files beside the one that starts or loads them.
 */
const PROGRAMS = {
  operator: 'cli/operator/main.ts',
  'lease-worker': 'operator/kube/leaderelection/lease-worker.ts',
  'kubeconfig-child': 'operator/kube/client/kubeconfig-child.ts',
  'computation-worker': 'operator/engine/queries/computation-worker.ts',
  suggestions: 'operator/kinds/distributed-training/tuning/suggestions.ts',
};

/**
 * Bundles the operator, with all that it needs of its dependencies, into a folder.
 *
 * @param more - other programs that come beside it, by their names
 * @returns what each file was made from, and what it loads
 */
export async function bundle(folder: string, more: Readonly<Record<string, string>> = {}): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { ...PROGRAMS, ...more },
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    // Without the names of functions: to keep them costs time at each closure that is made.
    minify: true,
    charset: 'ascii',
    legalComments: 'linked',
    banner: { js: REQUIRE },
    metafile: true,
    write: false,
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith('.js') ? inAscii(text) : text);
  return metafile;
}

/**
 * A source of one letter more than ASCII has is kept by Node in two bytes for each: of the operator's, 2 MiB for nothing.
 * esbuild leaves such letters in regular expressions as they are.
 */
const inAscii = (source: string): string =>
  source.replaceAll(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
