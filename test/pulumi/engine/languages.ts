/** What runs programs of YAML and Python for the engine, and what makes the SDKs of a package. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { pythonWith } from '../../support/python-environment.ts';
import { builtFrom, onPath, type Program } from './programs.ts';

const execute = promisify(execFile);

/** The other languages. */
export interface Languages {
  /** Folders with their hosts, and with a Python that has Pulumi's SDK, for PATH. */
  readonly folders: readonly string[];
  /** The program that checks a package schema, and writes its SDKs: `pulumi-sdk-generator SCHEMA.json FOLDER`. */
  readonly generator: string;
}

const YAML: Program = {
  name: 'pulumi-language-yaml',
  modules: join(import.meta.dirname, 'yaml-host'),
  package: 'github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml',
  takes: 'about 4 minutes on two cores',
  version: {
    variable: 'github.com/pulumi/pulumi-yaml/pkg/version.Version',
    module: 'github.com/pulumi/pulumi-yaml',
  },
};

const PYTHON: Program = {
  name: 'pulumi-language-python',
  modules: join(import.meta.dirname, 'language-host'),
  package: 'github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python',
  takes: 'a minute on two cores',
};

/** Pulumi's SDK for Python, with what it needs. */
const PYTHON_PACKAGES = join(import.meta.dirname, 'python/requirements.txt');

const GENERATOR: Program = {
  name: 'pulumi-sdk-generator',
  modules: join(import.meta.dirname, 'sdk-generator'),
  package: '.',
  takes: 'about a minute on two cores',
  source: join(import.meta.dirname, 'sdk-generator', 'main.go'),
};

/**
 * The hosts: the installed ones where `PATH` has them, else those that are built with Go, once.
 *
 * @throws where something has to be built or installed and can't be, with what to install
 */
export async function findLanguages(log: (line: string) => void): Promise<Languages> {
  const yaml = await folderOf(YAML, log);
  const python = await folderOf(PYTHON, log);
  if (onPath(PYTHON.name) === undefined) await addLauncher(python);
  const generator = join(await builtFrom(GENERATOR, log), GENERATOR.name);
  return { folders: [yaml, python, await pythonWith(PYTHON_PACKAGES, log)], generator };
}

async function folderOf(program: Program, log: (line: string) => void): Promise<string> {
  const installed = onPath(program.name);
  return installed === undefined ? builtFrom(program, log) : dirname(installed);
}

/** What the host starts a program with: a file of Python that it looks for beside itself (3.60.0, main.go). */
async function addLauncher(folder: string): Promise<void> {
  const launcher = 'pulumi-language-python-exec';
  if (existsSync(join(folder, launcher))) return;
  const { stdout } = await execute('go', ['list', '-m', '-f', '{{.Dir}}', 'github.com/pulumi/pulumi/sdk/v3'], {
    cwd: PYTHON.modules,
  });
  copyFileSync(join(stdout.trim(), 'python/cmd', launcher), join(folder, launcher));
}
