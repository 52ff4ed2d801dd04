import { commonWarnings } from '../parts/warnings.ts';
import { isFetched, parseModelUri, weightsPath } from '../parts/weights/index.ts';
import type { Host } from '../schema/parse.ts';
import { isSingleMount } from './render-input.ts';
import { FOLDER_WITHOUT_GGUF } from './engines.ts';
import { computesOn, namedImageOf } from './images.ts';
import { serverPatchOf } from './server-container.ts';
import type { ModelServingSpec } from './spec.ts';

/**
 * What its user should know of a valid spec before it runs. Each names the field to change.
 *
 * @param host - all say the same, but that only the operator sees when a fetch is over, and which model runs
 */
export function warningsOf(spec: ModelServingSpec, host: Host): readonly string[] {
  const restarts = 'a change of the image or of arguments stops the service until the new pod has loaded the model';
  const warnings: readonly (string | false)[] = [
    isSingleMount(spec) &&
      (host === 'static'
        ? // Nothing here tells an edit that brings another volume from one that keeps it, where a surge would wait forever.
          `spec.storage.accessMode: on a ReadWriteOnce volume there is one replica and no room for a second, so another model stops the service until it is fetched and loaded, and ${restarts}; choose ReadWriteMany to roll without a gap, or run it as a custom resource under the operator, which fetches another model while the earlier one serves`
        : `spec.storage.accessMode: on a ReadWriteOnce volume there is one replica and no room for a second, so ${restarts}; choose ReadWriteMany to roll without a gap`),
    host === 'static' &&
      isSingleMount(spec) &&
      'spec.storage.accessMode: on a ReadWriteOnce volume the server itself fetches, so it may reach HTTPS anywhere, and here nobody sees when it no longer needs to; run it as a custom resource under the operator, which closes that, or choose ReadWriteMany, where a Job fetches',
    !isSingleMount(spec) &&
      spec.rollout?.maxSurge === 0 &&
      spec.replicas === 1 &&
      `spec.rollout.maxSurge: with 0 and one replica ${restarts}; leave room for one more replica to roll without a gap`,
    spec.autoscaling?.prometheus !== undefined &&
      'spec.autoscaling.targets: what is not cpuPercent is scaled by KEDA, which must be installed, and Prometheus must scrape the pods and keep the labels namespace and pod',
    lacksGguf(spec) &&
      "spec.engine.image: vLLM's own image reads no GGUF from 0.24 on; name one that has vllm-gguf-plugin in it, or choose sglang",
    lacksMemory(spec) &&
      'spec.resources.memory: without it vLLM takes half of the memory of its node; set twice what the weights and the KV cache need, and 4Gi for its processes',
    isFolderOfGguf(spec) &&
      `spec.model.file: model.uri reads like a model in GGUF, and ${spec.engine.type} finds no weights in a folder of it, so the fetch is refused; name the file for vllm or sglang, for instance model-Q4_K_M.gguf, unless the repository has safetensors`,
    asksForMistral(spec) &&
      "spec.model.files: engine.args ask for Mistral's own format, and consolidated*.safetensors is not fetched where others lie beside it; name it in include",
    hasLatencyAlone(spec) &&
      'spec.autoscaling.targets: no number of replicas makes a request faster than an idle replica does, so replicas are added for a latency only while they have more to do than one request each; set targets well above what an idle replica takes, and queueDepth or runningRequests beside them',
    ...commonWarnings(spec),
  ];
  return warnings.filter((warning) => warning !== false);
}

/** Whether vLLM's own image is given a file in GGUF, which it has left to a plugin (vLLM 0.24.0, docs/features/quantization/gguf.md). */
const lacksGguf = ({ engine, model }: ModelServingSpec): boolean =>
  engine.type === 'vllm' && engine.image === undefined && /\.gguf$/i.test(weightsPath(model));

/** Whether vLLM's own image runs on CPUs and nothing says how much memory its container has. */
const lacksMemory = (spec: ModelServingSpec): boolean =>
  spec.engine.type === 'vllm' &&
  namedImageOf(spec) === undefined &&
  computesOn(spec) === 'cpu' &&
  spec.resources.memory === undefined &&
  serverPatchOf(spec)?.resources?.limits?.['memory'] === undefined;

/**
 * Whether an engine that looks for safetensors in a folder is given one of GGUF, as far as the URI tells (vLLM's and SGLang's
 * model_loader: "Cannot find any model weights").
 */
const isFolderOfGguf = ({ engine, model }: ModelServingSpec): boolean =>
  FOLDER_WITHOUT_GGUF.includes(engine.type) &&
  isFetched(parseModelUri(model.uri)) &&
  /gguf/i.test(model.uri) &&
  !/\.gguf$/i.test(weightsPath(model));

/** Whether vLLM or SGLang is told to load Mistral's own format, which the fetch takes for a second copy. */
const asksForMistral = ({ engine: { args = [] }, model }: ModelServingSpec): boolean =>
  isFetched(parseModelUri(model.uri)) &&
  model.files?.include === undefined &&
  args.some(
    (argument, at) =>
      /^--load[-_]format(?:=mistral)?$/.test(argument) && (argument.includes('=') || args[at + 1] === 'mistral'),
  );

/** Whether nothing but latencies says how many replicas there are. */
function hasLatencyAlone({ autoscaling }: ModelServingSpec): boolean {
  const { ttftMilliseconds, itlMilliseconds, ...others } = autoscaling?.targets ?? {};
  const hasLatency = ttftMilliseconds !== undefined || itlMilliseconds !== undefined;
  return hasLatency && Object.values(others).every((target) => target === undefined);
}
