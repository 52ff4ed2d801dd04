import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');

/** What CommonJS modules among the dependencies expect to be there. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/**
 * The programs of the operator. The lease is renewed by a thread, and a kubeconfig loaded by a child process; both are files
 * beside the one that starts them.
 */
const PROGRAMS = {
  operator: 'cli/operator/main.ts',
  'lease-worker': 'operator/kube/lease-worker.ts',
  'kubeconfig-child': 'operator/kube/kubeconfig-child.ts',
};

/** Bundles the operator, with all that it needs of its dependencies, into a folder. */
export async function bundle(folder: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    // Without the names of functions: to keep them costs time at each closure that is made.
    minify: true,
    // V8 keeps a source of more than Latin letters in two bytes each.
    charset: 'ascii',
    legalComments: 'linked',
    banner: { js: REQUIRE },
  });
}
