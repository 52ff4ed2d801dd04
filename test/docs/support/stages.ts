import { startOperator } from '../../cluster/support/operator.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { allKinds } from '../../../compat/kinds/index.ts';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { deleteNamespace } from '../../support/namespace.ts';
import type { Terminal } from '../../compat/support/terminal.ts';

/** What a page takes for granted: that is not on the page, or in its words alone. */
export interface Stage {
  /** Namespaces that are there, with their labels. */
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /**
   * Whether the operator is installed, and runs.
   *
   * @default false
   */
  readonly operator?: boolean;
  /** What else has been done, once the page's files are there. */
  readonly before?: (terminal: Terminal) => Promise<unknown>;
}

/** What pages take for granted; of others there is only the cluster. */
export const STAGES: Readonly<Record<string, Stage>> = {
  'docs/backup.md': {
    namespaces: { models: {} },
    operator: true,
    // As a restore leaves it: the objects are there, and belong to nobody.
    before: (terminal) =>
      terminal.run(
        'trunnion render -n models -f examples/model-serving.yaml | kubectl apply -f - && kubectl apply -n models -f examples/model-serving.yaml',
      ),
  },
  'docs/concepts/earlier-operators.md': { namespaces: { models: {} }, operator: true },
  'docs/concepts/hand-over.md': {
    namespaces: { models: {} },
    operator: true,
    before: (terminal) => terminal.run('trunnion render -f llama.yaml | kubectl apply -f -'),
  },
  'docs/concepts/observability.md': { operator: true },
  'docs/concepts/tuning.md': { namespaces: { training: {} }, operator: true },
  'docs/recipes/agent-on-own-model.md': { namespaces: { agents: {} }, operator: true },
  'docs/recipes/hugging-face.md': { namespaces: { models: {} }, operator: true },
  'docs/recipes/argo-cd.md': {
    namespaces: { argocd: {} },
    operator: true,
    // As Argo CD's own manifests have it: without a word.
    before: (terminal) => terminal.run('kubectl create configmap argocd-cm -n argocd'),
  },
  'docs/recipes/flux.md': { operator: true },
  'docs/recipes/karpenter.md': { operator: true },
  'docs/recipes/llama-70b.md': { namespaces: { models: {} }, operator: true },
  'docs/recipes/many-nodes.md': { namespaces: { models: {} }, operator: true },
  'docs/recipes/platform.md': {
    operator: true,
    before: (terminal) =>
      terminal.run(
        `kubectl patch node gpu-0 --subresource=status --type=merge -p '{"status":{"capacity":{"nvidia.com/gpu.shared":"4"},"allocatable":{"nvidia.com/gpu.shared":"4"}}}'`,
      ),
  },
  'docs/recipes/sizes.md': { namespaces: { models: {} }, operator: true },
  'docs/recipes/training-on-spot.md': {
    // Kueue's webhooks look at such namespaces alone: see test/kueue/support/kueue.ts.
    namespaces: { training: { queues: 'kueue' } },
    operator: true,
    before: (terminal) => terminal.run('kubectl label nodes --all --overwrite cloud.google.com/gke-spot=true'),
  },
  'docs/recipes/your-code.md': { namespaces: { training: {} }, operator: true },
  'docs/troubleshooting.md': {
    namespaces: { models: {} },
    operator: true,
    before: (terminal) =>
      terminal.run(
        'kubectl apply -n models -f examples/model-serving.yaml && kubectl wait -n models --for=condition=Ready modelserving/qwen --timeout=120s',
      ),
  },
};

/** Sets a stage. */
export async function setStage(admin: KubeClient, { namespaces = {}, operator = false }: Stage): Promise<void> {
  for (const [name, labels] of Object.entries(namespaces)) {
    await admin.create(TYPES.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  }
  if (operator) await startOperator(admin, undefined, { kinds: allKinds });
}

/** Removes what a page has left, while its operator still runs: that has to drain what served. */
export async function clearStage(admin: KubeClient, namespacesBefore: ReadonlySet<string>): Promise<void> {
  for (const { type } of allKinds) {
    for (const { metadata } of (await admin.list(type)).items) await admin.delete(type, metadata);
  }
  await eventually(
    async () => {
      for (const { type } of allKinds) {
        const [left] = (await admin.list(type)).items;
        if (left !== undefined) throw new Error(`${type.kind} ${left.metadata.name} is still there`);
      }
    },
    { timeout: 120_000 },
  );
  for (const { metadata } of (await admin.list(TYPES.namespace)).items) {
    if (!namespacesBefore.has(metadata.name)) await deleteNamespace(admin, metadata.name);
  }
  await eventually(
    async () => {
      for (const name of await namespacesOf(admin)) {
        if (!namespacesBefore.has(name)) throw new Error(`namespace ${name} is still there`);
      }
    },
    { timeout: 120_000 },
  );
}

/** The namespaces that there are. */
export const namespacesOf = async (admin: KubeClient): Promise<ReadonlySet<string>> =>
  new Set((await admin.list(TYPES.namespace)).items.map(({ metadata }) => metadata.name));
