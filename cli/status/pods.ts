import { TRUNNION } from '../../operator/trunnion.ts';
import type { V1Pod } from '@kubernetes/client-node';
import type { ObservedContainer, ObservedPod } from '../../operator/engine/api/index.ts';
import { observePod } from '../../operator/engine/observe/index.ts';
import { diagnosePod } from '../../operator/kinds/shared/diagnosis.ts';
import { because } from '../../operator/kinds/shared/diagnosis-text.ts';
import type { Outlook } from '../../operator/kinds/shared/nodes.ts';
import type { Accelerators } from '../../operator/kinds/shared/accelerators.ts';
import type { KubeObject } from '../../operator/kube/index.ts';
import { type EventSeen, inWords } from './events.ts';
import type { ObjectState } from './types.ts';

type WirePod = KubeObject & Pick<V1Pod, 'spec'>;

/**
 * How a pod is doing.
 *
 * @param warnings - what was told of it, the latest first
 * @param outlook - whether an autoscaler may still add a node for it; undefined where it has one
 */
export function healthOfPod(object: KubeObject, warnings: readonly EventSeen[], outlook?: Outlook): ObjectState {
  const pod = observePod(object, TRUNNION);
  if (pod.deleting) return { state: 'leaving', summary: summaryOf(pod, 'stopping'), because: [] };
  if (pod.phase === 'Succeeded') return { state: 'ok', summary: summaryOf(pod, 'has succeeded'), because: [] };
  const ready = pod.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  if (ready) return { state: 'ok', summary: summaryOf(pod, 'ready'), because: [] };
  const diagnosis = diagnosePod(pod, acceleratorsOf(object), { outlook });
  if (!diagnosis && runsUnprobed(pod, object)) return { state: 'ok', summary: summaryOf(pod, 'running'), because: [] };
  const summary = summaryOf(pod, pod.phase === 'Running' ? 'running, not ready' : pod.phase.toLowerCase());
  if (diagnosis) {
    return {
      state: diagnosis.stuck || pod.phase === 'Failed' ? 'failed' : 'waiting',
      summary,
      because: [diagnosis.message],
    };
  }
  const reasons = [...gatesOf(object), ...pod.containers.flatMap(reasonOf)];
  return { state: 'waiting', summary, because: [...reasons, ...warnings.map(inWords)] };
}

/** Of a container that nobody asks whether it is ready, all that can be said is that it runs. */
const runsUnprobed = ({ phase, containers }: ObservedPod, { spec }: WirePod): boolean =>
  phase === 'Running' &&
  containers.every(({ init, running }) => init || running !== undefined) &&
  (spec?.containers ?? []).every(({ readinessProbe, startupProbe }) => !readinessProbe && !startupProbe);

function summaryOf({ node, containers }: ObservedPod, health: string): string {
  const restarts = containers.reduce((sum, container) => sum + container.restarts, 0);
  return [
    health,
    ...(node === undefined ? [] : [`on ${node}`]),
    ...(restarts > 0 ? [`${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`] : []),
  ].join(', ');
}

/** Why a container is not there yet, where it is only time. */
function reasonOf({ name, init, ready, waiting, running }: ObservedContainer): readonly string[] {
  if (waiting && waiting.reason !== 'PodInitializing') {
    return [`Container ${name} is not there yet (${waiting.reason})${because(waiting.message)}`];
  }
  if (running && init && !ready) return [`Init container ${name} is at work: its log says how far it is`];
  if (running && !init && !ready) return [`Container ${name} runs and does not answer as ready yet`];
  return [];
}

const gatesOf = ({ spec }: WirePod): readonly string[] =>
  (spec?.schedulingGates ?? []).map(({ name }) => `It is not scheduled before its gate ${name} is removed`);

/** What a pod asks for, by its own words: those of earlier operators' kinds have no `spec.resources` that is like ours. */
function acceleratorsOf({ spec }: WirePod): Accelerators {
  const limits = (spec?.containers ?? []).flatMap(({ resources }) => Object.entries(resources?.limits ?? {}));
  // Names with a domain are extended resources, which is how GPUs are asked for.
  const [gpuResource = 'nvidia.com/gpu', gpu = '0'] = limits.find(([name]) => name.includes('/')) ?? [];
  const gpuProduct = Object.entries(spec?.nodeSelector ?? {}).find(([key]) => key.includes('gpu.product'))?.[1];
  return { gpu: Number(gpu), gpuResource, ...(gpuProduct !== undefined && { gpuProduct }) };
}
