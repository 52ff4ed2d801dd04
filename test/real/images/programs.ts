import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { architecture, writeImage } from '../../../cluster/index.ts';
import type { ImageRecipe } from '../../../cluster/index.ts';
import { librariesOf, write, writeNode } from '../../../scripts/image/node.ts';
import { cachedImage } from './cache.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Higher with each change of what this file makes of the same sources. */
const BUILDER = 1;

/** An image of programs that run on Node.js. */
export interface ProgramsImage {
  /** With its tag, as a pod names it: `docker.io/library/light:real`. */
  readonly name: string;
  /** The TypeScript of each program, by its name on PATH. A path is from the root of the repository. */
  readonly programs: Readonly<Record<string, string>>;
  /**
   * What a container runs that has no command.
   *
   * @default - the first program
   */
  readonly entrypoint?: readonly string[];
  /** Beside PATH. */
  readonly env?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The light engine, as `vllm`, and the load client, as `load`. */
export const LIGHT: ProgramsImage = {
  name: 'docker.io/library/trunnion-light:real',
  programs: { vllm: 'test/real/engine/main.ts', load: 'test/real/load/main.ts' },
};

/** An agent, an MCP server, and what finds out how far a pod gets. */
export const AGENT: ProgramsImage = {
  name: 'docker.io/library/trunnion-agent:real',
  programs: { agent: 'test/real/agent/main.ts', tickets: 'test/real/mcp/main.ts', probe: 'test/real/probe/main.ts' },
};

/** The file of the image, from the cache if nothing has changed. */
export async function programsImage(image: ProgramsImage): Promise<string> {
  const texts = await bundled(image.programs);
  const recipe = recipeOf(image);
  const node = [process.version, architecture(), librariesOf(process.execPath).map((file) => [file, hashOf(file)])];
  return cachedImage(image.name, [BUILDER, recipe, node, texts], async (file) => {
    const root = mkdtempSync(join(tmpdir(), 'trunnion-programs-'));
    try {
      writeNode(root);
      for (const [name, text] of Object.entries(texts)) install(root, name, text);
      await writeImage(root, image.name, file, recipe);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
}

/** Each program in one file, by its name. */
export async function bundled(programs: ProgramsImage['programs']): Promise<Readonly<Record<string, string>>> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: programs,
    outdir: '/programs',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    banner: { js: '#!/usr/bin/node' },
    write: false,
  });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path, '.mjs'), text]));
}

/** A name on PATH has no ending, so it is a link to a file whose ending says that it is a module. */
export function install(root: string, name: string, text: string): void {
  write(root, `programs/${name}.mjs`, text);
  chmodSync(join(root, `programs/${name}.mjs`), 0o755);
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  symlinkSync(`/programs/${name}.mjs`, join(root, 'usr/local/bin', name));
}

function recipeOf({ programs, entrypoint, env = {}, labels = {} }: ProgramsImage): ImageRecipe {
  const first = Object.keys(programs).slice(0, 1);
  return {
    config: {
      User: '65532:65532',
      WorkingDir: '/',
      Env: ['PATH=/usr/local/bin:/usr/bin', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      Entrypoint: entrypoint ?? first.map((name) => `/usr/local/bin/${name}`),
      Labels: labels,
    },
    createdBy: 'npm run test:real',
    compressed: false,
  };
}

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');
