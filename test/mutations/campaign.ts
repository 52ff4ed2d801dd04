import { randomBytes } from 'node:crypto';
import type { Kind } from '../../operator/engine/api/kind.ts';
import { kinds } from '../../compat/kinds/index.ts';
import type { KubeClient } from '../../operator/kube/client/client.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import { eventually } from '../cluster/support/eventually.ts';
import { chainsOf, shuffled, type Chain } from './chains.ts';
import { judge, pathOf, resourceOf } from './judge.ts';
import { mutationsOf, type Mutation } from './mutations.ts';
import { type Judged, lineOf, type Part } from './report.ts';
import { runChain, type Step } from './run-chain.ts';
import { modelServingSubject } from './subjects/model-serving.ts';
import type { Subject } from './subjects/subject.ts';
import { Watcher } from './watcher.ts';

/** The most pods of a chain: what asks for a thousand must be told and forgotten, not carried out. */
const MOST_PODS = 20;

export interface CampaignOptions {
  readonly subjects: readonly Subject[];
  /** Decides the order of mutations, and so which chains there are. */
  readonly seed: number;
  /**
   * How many mutations of a kind are held against the API server.
   *
   * @default - all
   */
  readonly judged?: number;
  /**
   * How many chains of a kind are run.
   *
   * @default - all
   */
  readonly chains?: number;
  /**
   * Only what begins with the spec of this name.
   *
   * @default - all
   */
  readonly home?: string;
  /** How many chains are run at once. */
  readonly parallel: number;
  /** Told of each failure at once. */
  readonly log: (line: string) => void;
}

/** Changes properties of kinds under an operator that runs already. */
export async function campaign(admin: KubeClient, options: CampaignOptions): Promise<readonly Part[]> {
  await using watcher = await Watcher.open(admin, kinds);
  const parts: Part[] = [];
  for (const subject of options.subjects) {
    const { seed, judged, chains, home } = options;
    const isWanted = (each: { readonly home: string }): boolean => home === undefined || each.home === home;
    const mutations = mutationsOf(subject);
    const part = {
      subject,
      judged: await judgeAll(admin, subject, shuffled(mutations, seed).filter(isWanted).slice(0, judged), options),
      chains: shuffled(chainsOf(subject, mutations, seed), seed)
        .filter(isWanted)
        .slice(0, chains),
    };
    parts.push({ ...part, chains: part.chains.length, steps: await runChains(admin, watcher, part.chains, options) });
  }
  return parts;
}

/** Holds mutations of a kind against the API server. */
const judgeAll = async (
  admin: KubeClient,
  subject: Subject,
  mutations: readonly Mutation[],
  { log }: CampaignOptions,
): Promise<readonly Judged[]> =>
  inParallel(8, mutations, async (mutation) => {
    const judgement = await judge(admin, subject, mutation.of(subject.homes[mutation.home] ?? {}));
    for (const failure of judgement.failures) log(`${subject.kind.kind}: ${mutation.name}: ${failure}`);
    return { kind: subject.kind.kind, mutation: mutation.name, ...judgement };
  });

/** Runs chains, each in a namespace of its own. */
async function runChains(
  admin: KubeClient,
  watcher: Watcher,
  chains: readonly Chain[],
  { parallel, log }: CampaignOptions,
): Promise<readonly Step[]> {
  const steps = await inParallel(parallel, chains, async (chain) => {
    const namespace = await openNamespace(admin);
    try {
      await makeCompanion(admin, namespace);
      const done = await runChain(chain, { admin, watcher, kind: kindOf(chain.subject), namespace });
      const failed = done.filter(({ outcome }) => outcome === 'failed');
      for (const step of failed) log(lineOf(step));
      if (failed.length > 0)
        log(`  after: ${done.map(({ mutation, outcome }) => `${mutation} (${outcome})`).join(', ')}`);
      return done;
    } finally {
      await admin.delete(TYPES.namespace, { name: namespace });
    }
  });
  return steps.flat();
}

async function inParallel<Item, Result>(
  parallel: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return results;
}

const kindOf = (subject: Subject): Kind => {
  const found = kinds.find(({ type }) => type.kind === subject.kind.kind);
  if (found === undefined) throw new Error(`the operator has no kind ${subject.kind.kind}`);
  return found;
};

/** A namespace in which pods can be made, but not many. */
async function openNamespace(admin: KubeClient): Promise<string> {
  const name = `mutations-${randomBytes(4).toString('hex')}`;
  await admin.create(TYPES.namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods', namespace: name } };
  await admin.create(TYPES.resourceQuota, { ...quota, spec: { hard: { pods: String(MOST_PODS) } } });
  await eventually(async () => {
    await admin.get(TYPES.serviceAccount, { namespace: name, name: 'default' });
    const { status } = await admin.get(TYPES.resourceQuota, quota.metadata);
    if ((status as { hard?: object } | undefined)?.hard === undefined) throw new Error('the quota does not count yet');
  });
  return name;
}

/** The ModelServing that agents refer to. */
async function makeCompanion(admin: KubeClient, namespace: string): Promise<void> {
  const spec = { model: { uri: 'pvc://models' }, engine: { type: 'vllm' }, resources: { gpu: 0 }, replicas: 0 };
  const body = resourceOf(modelServingSubject, namespace, 'llama', spec);
  await admin.raw('POST', pathOf(modelServingSubject, namespace), { body });
}
