/**
 * Writes the two packages that are published to `dist/packages`, from what is compiled: `trunnion` has the constructs, and
 * `trunnion-operator` all the rest. Each depends on what its modules import, and on nothing else.
 */
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { constructsManifest, type Manifest, OPERATOR, operatorManifest, PULUMI_PLUGIN } from './manifests.ts';
import { filesOf, importsOf, moduleOf, packageOf, reached, withImports } from './modules.ts';
import { withoutPlus } from './types.ts';

const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'dist');
const TO = join(DIST, 'packages');

/** What `trunnion` gives to who imports it. */
const ENTRIES = [
  'constructs/index',
  'stacks/pulumi/index',
  'stacks/pulumi/provider/main',
  'stacks/operator/monitoring/index',
];

/** Compiled folders that the operator's package has, as far as the constructs' has them not. */
const FOLDERS = [
  'certificates',
  'cli',
  'cluster',
  'compat',
  'constructs',
  'fetcher',
  'operator',
  'stacks/operator',
  'testing',
  'tuning',
  'yaml',
];

/** The program that writes what installs the operator. */
const FOR_THE_BUILD = 'stacks/operator/main';

/** What isn't compiled: what installs the operator, and what its command line reads. */
const OF_THE_OPERATOR = [
  'dist/{charts,gitops,kustomize,monitoring}/**',
  'dist/*.yaml',
  'crds/**/*.yaml',
  'examples/**',
  'cluster/control-plane/go.*',
  'cluster/real-node/*/go.*',
  'cluster/real-node/pause/main.go',
  'cluster/manifests/**',
];

const ours = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const constructs = reached(DIST, ENTRIES);
const rest = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.js`, { cwd: DIST }))
  .map((file) => file.replace(/\.js$/, ''))
  .filter((module) => !constructs.has(module) && module !== FOR_THE_BUILD);

writePackage('trunnion', constructsManifest(ours, writeModules('trunnion', constructs)));
copy('trunnion', 'dist/commonjs/**');
chmodSync(join(TO, 'trunnion', PULUMI_PLUGIN), 0o755);
put(join(TO, 'trunnion/bin/trunnion.js'), readFileSync(join(DIST, 'scripts/packages/launcher.js')), 0o755);

writePackage(OPERATOR, operatorManifest(ours, writeModules(OPERATOR, rest)));
for (const files of OF_THE_OPERATOR) copy(OPERATOR, files);
for (const program of ['main', 'kubectl-complete']) chmodSync(join(TO, OPERATOR, `dist/cli/${program}.js`), 0o755);

/** @returns the packages that they import */
function writeModules(name: string, modules: Iterable<string>): ReadonlySet<string> {
  const own = new Set(modules);
  const imported = new Set<string>();
  for (const file of [...own].flatMap(filesOf)) {
    const text = withImports(withoutPlus(readFileSync(join(DIST, file), 'utf8')), (specifier) => {
      const module = moduleOf(file, specifier);
      return !specifier.startsWith('.') || own.has(module) ? specifier : `trunnion/internal/${module}.js`;
    });
    for (const specifier of importsOf(text)) {
      if (!specifier.startsWith('.') && !isBuiltin(specifier)) imported.add(packageOf(specifier));
    }
    put(join(TO, name, 'dist', file), text);
  }
  return imported;
}

function writePackage(name: string, manifest: object): void {
  put(join(TO, name, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  for (const file of ['README.md', 'LICENSE']) copy(name, file);
}

/** Copies files to where they are in this repository. */
function copy(name: string, pattern: string): void {
  for (const entry of globSync(pattern, { cwd: ROOT, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(TO, name, from.slice(ROOT.length));
    mkdirSync(dirname(to), { recursive: true });
    if (from.endsWith('.d.ts')) put(to, withoutPlus(readFileSync(from, 'utf8')));
    else cpSync(from, to);
  }
}

function put(file: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
}
