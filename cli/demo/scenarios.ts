import type { Resource } from '../../operator/engine/api/index.ts';
import { distributedTraining } from '../../operator/kinds/distributed-training/index.ts';
import type { KubeClient } from '../../operator/kube/index.ts';
import { TYPES } from '../../operator/kube/index.ts';
import { CliError } from '../errors.ts';
import type { Io } from '../io.ts';
import { apply } from '../kube/apply.ts';
import type { KnownResource } from '../resources.ts';
import { plainText, largest } from '../../constructs/parts/values/index.ts';
import { type Ends, ENDS } from './examples.ts';
import { followPhases, type PhaseChange } from './phases.ts';
import { OPERATOR_NAMESPACE } from '../options.ts';
import { observe } from '../status/observe.ts';
import { statusText, printOptionsOf } from '../status/print.ts';
import { statusOf } from '../status/tree.ts';

/** The stage of a demo. */
export interface Stage {
  readonly io: Io;
  readonly client: KubeClient;
  readonly namespace: string;
  /** Whether pods are simulated, so that one may be made to fail. */
  readonly simulated: boolean;
  readonly signal: AbortSignal;
}

/** So long a resource may be in trouble that passes by itself. */
const PATIENCE_MILLISECONDS = 60_000;

/** So long a resource may wait for one thing: an autoscaler brings a node with GPUs in some minutes. */
const PENDING_MILLISECONDS = 600_000;

/** The rank that fails where pods are simulated. */
const FAILING_RANK = 2;

/**
 * Shows the lives of resources, all at the same time: each phase as it comes, and what each has made in the end.
 *
 * @returns the address of each inside the cluster, where it has one
 */
export async function showScenarios(
  stage: Stage,
  resources: readonly KnownResource[],
): Promise<readonly (string | undefined)[]> {
  const startedAt = performance.now();
  const width = largest(resources.map((known) => nameOf(known).length));
  const failure = new AbortController();
  const signal = AbortSignal.any([stage.signal, failure.signal]);
  const scenarios = await Promise.all(
    resources.map((known) =>
      runScenario({ ...stage, signal }, known, (words) => {
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
        stage.io.out(`${seconds} s  ${nameOf(known).padEnd(width)}  ${plainText(words)}\n`);
      }),
    ),
  ).catch((error: unknown) => {
    failure.abort(error);
    throw error;
  });
  for (const [index, known] of resources.entries()) {
    const last = scenarios[index] as PhaseChange;
    if (last.phase === endsOf(known).good) await untilGood(stage, known);
    stage.io.out(`\n${await treeOf(stage, known)}`);
    if (last.phase !== endsOf(known).good)
      throw new CliError(`${nameOf(known)} ends in the phase ${last.phase}: ${plainText(last.message)}`);
    if (last.url !== undefined) stage.io.out(`It answers, inside the cluster, at ${last.url}\n`);
  }
  return scenarios.map(({ url }) => url);
}

/** What `trunnion status` tells of a resource. */
async function treeOf({ io, client, namespace }: Stage, { kind, manifest }: KnownResource): Promise<string> {
  const resource = await client.get(kind.type, { namespace, name: manifest.metadata.name });
  const status = statusOf(
    await observe(client, { kind, resource: resource as unknown as Resource, operatorNamespace: OPERATOR_NAMESPACE }),
  );
  return statusText(status, printOptionsOf(io));
}

/** The life of one resource, until it has ended. */
async function runScenario(stage: Stage, known: KnownResource, report: (words: string) => void): Promise<PhaseChange> {
  const { client, namespace, signal } = stage;
  const { kind, manifest } = known;
  const { name } = manifest.metadata;
  await apply(client, manifest, namespace);
  const ends = endsOf(known);
  let failure: Promise<void> | undefined;
  const last = await followPhases(
    { client, type: kind.type, namespace, name },
    {
      see: ({ phase, message }) => {
        report(`${phase.padEnd(12)} ${message}`);
        if (!stage.simulated || kind.type.kind !== distributedTraining.type.kind || phase !== 'Running' || failure)
          return;
        report(`${''.padEnd(12)} (rank ${FAILING_RANK} is made to fail, once)`);
        failure = failRank(client, { namespace, name, rank: FAILING_RANK });
        // Thrown below.
        failure.catch(() => undefined);
      },
      lastAfter: (phase) => {
        if (phase === ends.bad) return ends.passes ? PATIENCE_MILLISECONDS : 0;
        if (phase === 'Pending') return PENDING_MILLISECONDS;
        return phase === ends.good ? 0 : undefined;
      },
      signal,
    },
  );
  await failure;
  return last;
}

/**
 * Waits until a resource is again where it is meant to end, which it may have left while others were on their way: an
 * autoscaler adds replicas. What takes longer is drawn as it is.
 */
async function untilGood({ client, namespace, signal }: Stage, { kind, manifest }: KnownResource): Promise<void> {
  const { good } = ENDS[kind.type.kind] ?? {};
  const patience = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  try {
    await followPhases(
      { client, type: kind.type, namespace, name: manifest.metadata.name },
      {
        see: () => undefined,
        lastAfter: (phase) => (phase === good ? 0 : undefined),
        signal: AbortSignal.any([signal, patience]),
      },
    );
  } catch (error) {
    if (!patience.aborted || signal.aborted) throw error;
  }
}

const nameOf = ({ kind, manifest }: KnownResource): string => `${kind.type.kind} ${manifest.metadata.name}`;

function endsOf({ kind }: KnownResource): Ends {
  const ends = ENDS[kind.type.kind];
  if (ends === undefined) throw new CliError(`the demo does not know where a ${kind.type.kind} ends`);
  return ends;
}

/** Has the simulated pod of a rank fail, as programs do. */
async function failRank(
  client: KubeClient,
  { namespace, name, rank }: { readonly namespace: string; readonly name: string; readonly rank: number },
): Promise<void> {
  const labelSelector = `app.kubernetes.io/instance=${name},batch.kubernetes.io/job-completion-index=${rank}`;
  const { items } = await client.list(TYPES.pod, { namespace, labelSelector });
  const annotations = { 'sim.trunnion.dev/fail': '1', 'sim.trunnion.dev/message': 'loss is NaN' };
  for (const { metadata } of items) await client.patch(TYPES.pod, metadata, { metadata: { annotations } });
}
