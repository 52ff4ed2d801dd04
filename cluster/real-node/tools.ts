import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder, packageRoot, versionOf, versionVariables } from '../binaries.ts';
import { build } from '../build.ts';
import type { NodeTool } from './components.ts';

/** What is built from one go.mod. */
interface Part {
  /** Its folder, in that of this file. */
  readonly folder: 'kubernetes' | 'dns' | 'policies' | 'pause';
  readonly what: string;
  readonly takes: string;
  readonly tools: readonly { readonly name: NodeTool; readonly package: string }[];
}

const PARTS: readonly Part[] = [
  {
    folder: 'kubernetes',
    what: 'the kubelet and kube-proxy',
    takes: 'about 2 minutes on two cores',
    tools: [
      { name: 'kubelet', package: 'k8s.io/kubernetes/cmd/kubelet' },
      { name: 'kube-proxy', package: 'k8s.io/kubernetes/cmd/kube-proxy' },
    ],
  },
  {
    folder: 'dns',
    what: 'CoreDNS',
    takes: 'about 3 minutes on two cores',
    tools: [{ name: 'coredns', package: 'github.com/coredns/coredns' }],
  },
  {
    folder: 'policies',
    what: 'kube-router',
    takes: 'about 2 minutes on two cores',
    tools: [{ name: 'kube-router', package: 'github.com/cloudnativelabs/kube-router/v2/cmd/kube-router' }],
  },
  { folder: 'pause', what: 'the pause program', takes: 'some seconds', tools: [{ name: 'pause', package: '.' }] },
];

/** Whether some of a real node's programs are still to be built. */
export const missingNodeTools = (): boolean =>
  PARTS.some(({ folder, tools }) => {
    const { target } = foldersOf(folder);
    return tools.some(({ name }) => !existsSync(join(target, name)));
  });

/** Where the sources of a part are, and its programs once they are built. */
function foldersOf(folder: Part['folder']): { readonly modules: string; readonly target: string } {
  const modules = join(packageRoot(), 'cluster', 'real-node', folder);
  return { modules, target: builtFolder(`real-node-${folder}`, modules) };
}

/**
 * The programs of a real node that are built: from an earlier build, else with Go.
 *
 * @throws where something has to be built and there is no Go
 */
export async function findNodeTools(log: (line: string) => void): Promise<Readonly<Record<NodeTool, string>>> {
  const found: Partial<Record<NodeTool, string>> = {};
  for (const { folder, what, takes, tools } of PARTS) {
    const { modules, target } = foldersOf(folder);
    for (const { name } of tools) found[name] = join(target, name);
    if (tools.every(({ name }) => existsSync(join(target, name)))) continue;
    const goMod = readFileSync(join(modules, 'go.mod'), 'utf8');
    await build({
      what,
      takes,
      otherwise: 'start the cluster without a real node',
      modules,
      target,
      tools,
      variables: folder === 'kubernetes' ? versionVariables(versionOf(goMod, 'k8s.io/kubernetes')) : {},
      log,
    });
  }
  return found as Readonly<Record<NodeTool, string>>;
}
