import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { stringify } from 'yaml';
import { kubectl } from '../../cluster/support/client.ts';
import { cluster } from '../../cluster/support/cluster.ts';
import { trunnion } from '../../support/trunnion.ts';
import { helm } from '../../support/helm.ts';
import { chart } from './chart.ts';

/** Where the operator is installed, and where it works. */
export interface Where {
  readonly namespace: string;
  /** Whether it works in this namespace alone. */
  readonly alone: boolean;
}

/** A way of installing, in the words of those who use it. */
export interface Way {
  readonly name: string;
  install(where: Where): Promise<void>;
  /** Takes the operator away, and leaves CRDs, resources and namespaces. */
  uninstall(where: Where): Promise<void>;
}

const command = async (...args: readonly string[]): Promise<void> => {
  const { code, stderr } = await trunnion([...args, '--kubeconfig', cluster().kubeconfig]);
  if (code !== 0) throw new Error(`trunnion ${args.join(' ')}: ${stderr}`);
};

const scope = ({ namespace, alone }: Where): readonly string[] => [
  '--namespace',
  namespace,
  ...(alone ? ['--watch-namespace', namespace] : []),
];

/** Plain YAML: the file that ships, or the command where a namespace is named. */
export const plain: Way = {
  name: 'plain YAML',
  install: async (where) => {
    if (where.alone) await command('install', ...scope(where));
    else await kubectl('apply', '-f', join(inject('install').dist, 'install.yaml'));
  },
  uninstall: async (where) => {
    if (where.alone) await command('uninstall', ...scope(where));
    else await kubectl('delete', '-f', join(inject('install').dist, 'operator.yaml'));
  },
};

export const withHelm: Way = {
  name: 'Helm',
  install: async ({ namespace, alone }) => {
    const values = alone ? ['--set', `watchNamespace=${namespace}`] : [];
    const args = ['--namespace', namespace, '--create-namespace', '--kubeconfig', cluster().kubeconfig];
    await helm('install', 'trunnion', chart(), ...args, ...values);
  },
  uninstall: async ({ namespace }) => {
    await helm('uninstall', 'trunnion', '--namespace', namespace, '--kubeconfig', cluster().kubeconfig);
  },
};

export const kustomize: Way = {
  name: 'kustomize',
  install: async (where) => {
    await kubectl('apply', '-k', overlay(where));
  },
  uninstall: async (where) => command('uninstall', ...scope(where)),
};

/** A kustomization of a user's. */
export function overlay({ namespace, alone }: Where): string {
  const folder = join(inject('install').dist, 'kustomize', `of-${namespace}-${alone}`);
  mkdirSync(folder, { recursive: true });
  const kustomization = { namespace, resources: [alone ? '../namespaced' : '../cluster'] };
  writeFileSync(join(folder, 'kustomization.yaml'), stringify(kustomization));
  return folder;
}
