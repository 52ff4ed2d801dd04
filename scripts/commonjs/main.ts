/**
 * Writes `dist/commonjs`: the constructs for programs that are compiled to CommonJS, and run by what loads nothing else
 * (Jest). It is one file, since two of the packages that the constructs use are ES modules alone. Its types name no
 * package but cdk8s' own: those of zod need a newer `lib` than the template of cdk8s has.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { KINDS } from '../../constructs/kinds.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import { typeText } from './type-text.ts';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const FROM = join(DIST, 'constructs');
const TO = join(DIST, 'commonjs');

/** Types that are made from schemas, by the folder of their kind. */
const generatedTypes = (): ReadonlyMap<string, string> =>
  new Map(
    KINDS.flatMap((kind) => {
      const folder = join(FROM, kind.kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase());
      return [
        [join(folder, 'spec.d.ts'), specTypes(kind)] as const,
        [join(folder, 'status.d.ts'), exported(`${kind.kind}Status`, kind, 'status', 'parsed')] as const,
      ];
    }),
  );

const specTypes = (kind: KindSchema): string =>
  [
    exported(`${kind.kind}SpecInput`, kind, 'spec', 'written'),
    exported(`${kind.kind}Spec`, kind, 'spec', 'parsed'),
    `export type { ${kind.kind}Status } from './status';\n`,
  ].join('');

const exported = (name: string, kind: KindSchema, part: 'spec' | 'status', side: 'written' | 'parsed'): string =>
  `export type ${name} = ${typeText(kind.schema().properties?.[part] ?? {}, side)};\n`;

/** Writes a file of types, and all that it refers to. */
async function writeTypes(file: string, generated: ReadonlyMap<string, string>, written: Set<string>): Promise<void> {
  if (written.has(file)) return;
  written.add(file);
  const text = generated.get(file) ?? (await readFile(file, 'utf8'));
  // Older compilers take no extension of a source file here.
  const without = text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1'").replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '');
  const path = join(TO, relative(FROM, file));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, without);
  for (const [, other = ''] of without.matchAll(/from '(\.[^']*)'/g)) {
    await writeTypes(resolve(dirname(file), `${other}.d.ts`), generated, written);
  }
}

await build({
  entryPoints: [join(FROM, 'index.js')],
  outfile: join(TO, 'index.js'),
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  external: ['cdk8s', 'constructs', 'zod'],
  logLevel: 'warning',
});
await writeFile(join(TO, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`);
await writeTypes(join(FROM, 'index.d.ts'), generatedTypes(), new Set());
