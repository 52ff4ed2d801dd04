import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.ts';

/** What `npm publish` would send: of the constructs, and of the operator with the command line. */
export interface Tarballs {
  readonly tarball: string;
  readonly operatorTarball: string;
}

/** npm asks its registry only for what it has never seen. */
export const OFFLINE = ['--prefer-offline', '--no-audit', '--no-fund'];

const PEERS = ['cdk8s', 'constructs'] as const;

/** Builds both packages, and packs them into a folder. */
export async function packBoth(folder: string): Promise<Tarballs> {
  await npm(['run', 'build'], process.cwd());
  return { tarball: await packed('trunnion', folder), operatorTarball: await packed('trunnion-operator', folder) };
}

async function packed(name: string, folder: string): Promise<string> {
  const from = `./${join('dist/packages', name)}`;
  const { stdout } = await npm(['pack', '--silent', '--pack-destination', folder, from], process.cwd());
  return join(folder, stdout.trim());
}

/** A project that has tarballs installed, with the peers that the constructs ask for. */
export async function projectWith(tarballs: readonly string[], folder: string): Promise<string> {
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const peers = PEERS.map((name) => `${name}@${devDependencies[name]}`);
  const project = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  await npm(['install', ...OFFLINE, ...tarballs, ...peers], project);
  return project;
}
