import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { findPackageJSON } from 'node:module';
import { homedir, userInfo } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from './build.ts';
import type { Component } from './components.ts';

/** A program of the control plane: the module whose version it has, and the package that it is built from. */
export interface Tool {
  readonly module: string;
  readonly package: string;
  /** How to make it tell its version. */
  readonly version: readonly string[];
}

export const TOOLS = {
  etcd: { module: 'go.etcd.io/etcd/server/v3', package: 'go.etcd.io/etcd/server/v3', version: ['--version'] },
  'kube-apiserver': kubernetes('kube-apiserver', ['--version']),
  'kube-controller-manager': kubernetes('kube-controller-manager', ['--version']),
  'kube-scheduler': kubernetes('kube-scheduler', ['--version']),
  kubectl: kubernetes('kubectl', ['version', '--client']),
  kwok: { module: 'sigs.k8s.io/kwok', package: 'sigs.k8s.io/kwok/cmd/kwok', version: ['--version'] },
} satisfies Record<Component | 'kubectl', Tool>;

export type ToolName = keyof typeof TOOLS;

/** Where each program is. */
export type Binaries = Readonly<Record<ToolName, string>>;

function kubernetes(name: string, version: readonly string[]): Tool {
  return { module: 'k8s.io/kubernetes', package: `k8s.io/kubernetes/cmd/${name}`, version };
}

/** The folder of this package that has `cluster/`, whether it runs from source or from its compiled form. */
export function packageRoot(): string {
  const file = findPackageJSON('..', import.meta.url);
  if (file === undefined) {
    throw new Error(`${import.meta.url} is in no package, so the modules of the control plane can't be found`);
  }
  return dirname(file);
}

/**
 * The programs of the control plane: from an earlier build; else from the folders of `KUBEBUILDER_ASSETS` and `PATH`, where
 * they are of the version that `control-plane/go.mod` names (same major and minor); else built with Go, which takes
 * about 8 minutes once.
 *
 * @param say - receives the progress of the build, line by line
 * @throws where something has to be built and there is no Go
 */
export async function findBinaries(log: (line: string) => void): Promise<Binaries> {
  const modules = join(packageRoot(), 'cluster', 'control-plane');
  const goMod = readFileSync(join(modules, 'go.mod'), 'utf8');
  const built = builtFolder('control-plane', modules);
  const found: Partial<Record<ToolName, string>> = {};
  const missing: ToolName[] = [];
  for (const name of Object.keys(TOOLS) as ToolName[]) {
    const file = existsSync(join(built, name))
      ? join(built, name)
      : await installed(name, versionOf(goMod, TOOLS[name].module));
    if (file === undefined) {
      missing.push(name);
    }
    found[name] = file ?? join(built, name);
  }
  if (missing.length > 0) {
    await build({
      what: 'the embedded control plane',
      takes: 'about 8 minutes on two cores',
      otherwise: `point KUBEBUILDER_ASSETS or PATH to a folder with etcd,
kube-apiserver, kube-controller-manager, kube-scheduler, kubectl and kwok of the versions in cluster/control-plane/go.mod`,
      modules,
      target: built,
      tools: missing.map((name) => ({ name, package: TOOLS[name].package })),
      variables: versionVariables(versionOf(goMod, 'k8s.io/kubernetes')),
      log,
    });
  }
  return found as Binaries;
}

/** The version of a module in a go.mod: `v1.36.3`. */
export function versionOf(goMod: string, module: string): string {
  const version = goMod
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find((words) => words[0] === module && /^v\d/.test(words[1] ?? ''))?.[1];
  if (version === undefined) {
    throw new Error(`go.mod names no version of ${module}`);
  }
  return version;
}

/** Whether what a program says of itself has the major and minor version of `wanted`. */
export function sameMinor(reported: string, wanted: string): boolean {
  const [major, minor] = wanted.replace(/^v/, '').split('.');
  const versions = [...reported.matchAll(/(?:^|[^\d.])(\d{1,9})\.(\d{1,9})\.\d/gm)];
  return versions.some(([, itsMajor, itsMinor]) => itsMajor === major && itsMinor === minor);
}

/** An installed program of the right version. */
async function installed(name: ToolName, wanted: string): Promise<string | undefined> {
  const folders = [variable('KUBEBUILDER_ASSETS'), ...(variable('PATH') ?? '').split(delimiter)];
  const files = folders
    .filter((folder) => folder !== undefined && folder !== '')
    .map((folder) => join(folder ?? '', name));
  for (const file of files.filter(isExecutable)) {
    const { stdout } = await promisify(execFile)(file, [...TOOLS[name].version]).catch(() => ({ stdout: '' }));
    if (sameMinor(stdout, wanted)) {
      return file;
    }
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What makes Kubernetes' programs tell their version: `v1.36.3`. Without it clients see v0.0.0. */
export function versionVariables(version: string): Readonly<Record<string, string>> {
  const [gitMajor = '', gitMinor = ''] = version.replace(/^v/, '').split('.');
  const variables = { gitVersion: version, gitMajor, gitMinor };
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [`k8s.io/component-base/version.${name}`, value]),
  );
}

/**
 * Where what is built from modules is kept: another folder for other versions.
 *
 * @param part - what is built, as the name of a folder
 * @param modules - the folder of go.mod and go.sum
 */
export function builtFolder(part: string, modules: string): string {
  const texts = ['go.mod', 'go.sum'].map((file) => readFileSync(join(modules, file), 'utf8'));
  return join(cacheFolder(), part, hash(texts));
}

/**
 * `TRUNNION_CACHE`, or `trunnion` in the user's cache folder: `XDG_CACHE_HOME`, which counts only where it is absolute, as its
 * specification wants it, or else `.cache` in the home. It is absolute.
 */
export function cacheFolder(): string {
  const users = variable('XDG_CACHE_HOME');
  const folder = users !== undefined && isAbsolute(users) ? users : join(homeFolder(), '.cache');
  return resolve(variable('TRUNNION_CACHE') ?? join(folder, 'trunnion'));
}

/** Node takes an empty `HOME` for a folder. */
const homeFolder = (): string => homedir() || userInfo().homedir;

function hash(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16);
}

/**
 * A variable of the environment. One that is empty counts as unset: `NAME= program` is how shells and manifests take a
 * variable away.
 */
export const variable = (name: string): string | undefined => process.env[name] || undefined;
