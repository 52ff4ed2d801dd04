import type { V1Pod } from '@kubernetes/client-node';
import { listAll } from '../../operator/engine/observe/index.ts';
import { labelsIn } from '../../operator/engine/queries/index.ts';
import { type KubeClient, type KubeObject, TYPES } from '../../operator/kube/index.ts';
import { describe } from '../errors.ts';
import type { Dial } from './engines.ts';
import { keyOf } from './key.ts';
import { inSlots, scrape } from './scrape.ts';

type Pod = KubeObject & Pick<V1Pod, 'spec' | 'status'>;

/**
 * The pods of dcgm-exporter: as the GPU operator labels them (assets/state-dcgm-exporter/0900_daemonset.yaml), and as the
 * exporter's own chart does (deployment/templates/_helpers.tpl).
 */
const SELECTORS = ['app=nvidia-dcgm-exporter', 'app.kubernetes.io/name=dcgm-exporter'];

/** The port of both, under this name; this is their default. */
const PORT_NAME = 'metrics';
const PORT = 9400;

/** In percent, a sample a GPU. Of a GPU that MIG splits there is none. */
const UTILISATION = 'DCGM_FI_DEV_GPU_UTIL';

const AT_A_TIME = 16;

/** The pods of dcgm-exporter on these nodes. */
export async function exportersOn(
  client: Pick<KubeClient, 'list'>,
  nodes: ReadonlySet<string>,
): Promise<readonly KubeObject[]> {
  const lists = await Promise.all(SELECTORS.map((selector) => listAll(client, TYPES.pod, undefined, selector)));
  const here = lists.flat().filter((object) => {
    const { spec, status } = object as Pod;
    return status?.phase === 'Running' && nodes.has(spec?.nodeName ?? '');
  });
  return [...new Map(here.map((pod) => [pod.metadata.uid, pod])).values()];
}

/** What dcgm-exporter told. */
export interface GpuAnswers {
  /** The utilisation of each GPU of a pod, in percent, by `namespace/name` of the pod. */
  readonly utilisation: ReadonlyMap<string, readonly number[]>;
  readonly failures: readonly { readonly pod: string; readonly words: string }[];
}

/** Asks the pods of dcgm-exporter: a few at a time, and none for long. */
export async function askExporters(
  exporters: readonly KubeObject[],
  dial: Dial,
  signal: AbortSignal,
): Promise<GpuAnswers> {
  const slot = inSlots(AT_A_TIME);
  /** By pod, then by GPU: containers of a pod may share one. */
  const found = new Map<string, Map<string, number>>();
  const failures: { readonly pod: string; readonly words: string }[] = [];
  await Promise.all(
    exporters.map(async (exporter) => {
      const { namespace = '', name } = exporter.metadata;
      const dialIt = (inTime: AbortSignal) => dial({ namespace, name }, portOf(exporter), inTime);
      const take = ({ value, labels }: { readonly value: number; readonly labels: Uint8Array }) =>
        noteGpu(found, labels, value);
      try {
        await slot(() => scrape(dialIt, { path: '/metrics', metrics: [UTILISATION], take, signal }));
      } catch (error) {
        failures.push({ pod: keyOf({ namespace, name }), words: describe(error) });
      }
    }),
  );
  return { utilisation: new Map([...found].map(([pod, gpus]) => [pod, [...gpus.values()]])), failures };
}

function portOf(exporter: KubeObject): number {
  const ports = (exporter as Pod).spec?.containers.flatMap((container) => container.ports ?? []) ?? [];
  return ports.find(({ name }) => name === PORT_NAME)?.containerPort ?? PORT;
}

/**
 * The labels are those of the exporter's internal/pkg/transformation/const.go: with the option for old names, `pod_name`
 * and `pod_namespace`. The GPU's own are in internal/pkg/rendermetrics/render_metrics.go.
 */
function noteGpu(found: Map<string, Map<string, number>>, text: Uint8Array, percent: number): void {
  const labels = labelsIn(text);
  const name = labels.get('pod') ?? labels.get('pod_name') ?? '';
  const namespace = labels.get('namespace') ?? labels.get('pod_namespace') ?? '';
  // Of a GPU that no pod holds.
  if (name === '' || namespace === '' || percent < 0 || percent > 100) return;
  const gpus = found.get(keyOf({ namespace, name })) ?? new Map<string, number>();
  gpus.set(labels.get('UUID') ?? labels.get('uuid') ?? labels.get('gpu') ?? '', percent);
  found.set(keyOf({ namespace, name }), gpus);
}
