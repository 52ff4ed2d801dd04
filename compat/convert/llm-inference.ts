import { modelServing } from '../../constructs/model-serving/kind.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { reportServing } from './confinement.ts';
import type { Reader } from './conversion.ts';
import { below, changed, taken, reported } from './fates.ts';
import type { Fields } from './fields.ts';
import { SERVER } from './kserve.ts';
import { ACCOUNT_FATES, asksForDevices, isKserveKey, KSERVE_KEYS } from './kserve-keys.ts';
import { launchOf } from './launch.ts';
import { podFates } from './pod-fates.ts';
import { podMetadata } from './pod-metadata.ts';
import { besides, containerParts, given, isSame, mainContainer, podFieldsOf, podTemplateOf } from './pods.ts';
import { resourcesOf } from './resources.ts';
import { drainOf, engineEnv, fetchedStorage, fewestOf, namedAs, portOf, rolloutOf, scalingByCpu } from './serving.ts';
import { scriptArguments } from './script-variables.ts';
import { templatesOf } from './templates.ts';
import { uriOf, withRevision } from './uri.ts';

const ONE_POD = reported('one replica is one pod: choose a node with enough GPUs');

/** KServe's LLMInferenceService: kserve v0.20.0, config/crd/full/llmisvc/serving.kserve.io_llminferenceservices.yaml. */
export const llmInferenceService: Reader = {
  group: 'serving.kserve.io',
  kind: 'LLMInferenceService',
  fates: {
    'spec.model.uri': taken('spec.model.uri'),
    'spec.model.name': taken('spec.model.name'),
    'spec.model.lora': reported('name adapters by engine.args'),
    'spec.model.criticality': reported('priorityClassName is what comes near'),
    'spec.model.confidential': reported('models are fetched as they are: nothing decrypts them'),
    'spec.replicas': taken('spec.replicas'),
    'spec.parallelism.tensor': taken('spec.parallelism.tensor'),
    'spec.parallelism.pipeline': taken('spec.parallelism.pipeline'),
    'spec.parallelism.data': reported('raise replicas instead'),
    'spec.parallelism.dataLocal': reported('raise replicas instead'),
    'spec.parallelism.dataRPCPort': reported('raise replicas instead'),
    'spec.parallelism.expert': reported('say it by engine.args', [false]),
    'spec.trustRemoteCode': changed('spec.engine.args'),
    'spec.scaling': reported('autoscaling has targets of its own'),
    'spec.scaling.minReplicas': changed('spec.autoscaling.minReplicas'),
    'spec.scaling.maxReplicas': changed('spec.autoscaling.maxReplicas'),
    'spec.rolloutStrategy': reported('rollout takes numbers of replicas, not percentages'),
    'spec.labels': taken('spec.podTemplate.metadata.labels'),
    'spec.annotations': taken('spec.podTemplate.metadata.annotations'),
    'spec.baseRefs': reported('what they say is not known here: carry it over by hand'),
    'spec.runtime': reported(
      'the engine takes the place of the runtime: carry over what its image, args, env and resources say',
    ),
    'spec.router': reported('expose.gateway or expose.ingress lead to it; requests are spread by the Service'),
    'spec.prefill': reported('prefill and decode run in the same pods'),
    'spec.worker': ONE_POD,
    'spec.storageInitializer.enabled': reported('weights are fetched where model.uri names what must be', [true]),
    'spec.tracing': reported('name the collector by engine.args, and open egress to it'),
    'spec.kvCacheOffloading': reported('say it by engine.args'),
    ...below('spec.template', { ...podFates(SERVER), ...ACCOUNT_FATES }),
    'spec.template.containers.ports': changed('spec.engine.port'),
    'spec.template.containers.ports.protocol': reported('the engine is asked by TCP', ['TCP']),
    'spec.template.containers.ports.name': reported('the port of the Service is named http'),
    'spec.template.containers.ports.hostIP': reported('no port of a node is taken'),
    'spec.template.containers.ports.hostPort': reported('no port of a node is taken'),
    'spec.template.terminationGracePeriodSeconds': changed(
      'spec.drain.timeoutSeconds',
      'is how long requests in flight have here',
    ),
  },
  ownKeys: KSERVE_KEYS,
  read(fields) {
    const spec = fields.at('spec');
    const name = spec.text('model.name');
    const template = spec.at('template');
    const main = mainContainer(template, 'main');
    const hasClaims =
      asksForDevices(fields.at('metadata.annotations').names) || template.peek('resourceClaims') !== undefined;
    const resources = resourcesOf(main.at('resources'), modelServing, { hasClaims });
    const templates = templatesOf(fields);
    const gpu = resources.own['gpu'] as number | undefined;
    const isSplit = ['tensor', 'pipeline'].some((name) => spec.peek(`parallelism.${name}`) !== undefined);
    const added = () => scriptArguments(main);
    const launch = launchOf(main, { type: 'vllm', gpu, isFetched: true, templates, added, isSplit });
    const uri = withRevision(uriOf(spec, 'model.uri'), launch.model.revision, main);
    if (main.peek('image') !== undefined) reportServing(fields);
    if (launch.model.id !== undefined) main.note('args', 'model.uri says what is served');
    const pod = podFieldsOf(template, modelServing);
    const { terminationGracePeriodSeconds: grace, ...parts } = pod.template;
    return {
      kind: modelServing,
      spec: {
        model: { ...given('uri', uri), ...namedAs(fields, { ...given('name', name ?? launch.model.name) }) },
        ...fetchedStorage(fields, uri),
        ...engineEnv(
          main,
          { isDownload: false, templates, isByScript: isByScript(main) },
          {
            type: launch.type,
            ...given('image', main.take('image')),
            ...trusting(spec, launch.engine),
            ...portOf(main, launch, LLM_PORT),
          },
        ),
        ...parallelismOf(spec.at('parallelism'), launch.spec),
        resources: resources.own,
        ...llmReplicas(spec),
        ...rolloutOf(spec.at('rolloutStrategy')),
        ...drainOf(grace),
        ...pod.own,
        ...podTemplateOf(
          'server',
          parts,
          { ...containerParts(main, modelServing), ...resources.template },
          { metadata: podLabels(fields), more: besides(template, main, modelServing) },
        ),
      },
    };
  },
};

/** Where a program of an LLMInferenceService listens (kserve v0.20.0, config/llmisvcconfig/config-llm-template.yaml). */
const LLM_PORT = 8000;

/** Whether KServe's script starts the engine. */
function isByScript(container: Fields): boolean {
  const command = container.peek('command');
  return command === undefined || isSame(command, []);
}

/**
 * Labels and annotations of pods, and those of the resource that KServe hands to them
 * (propagateDeploymentMetadata of workload_single_node.go, v0.20.0).
 */
const podLabels = (fields: Fields): object =>
  podMetadata(
    fields,
    modelServing,
    {
      labels: [{ path: 'metadata.labels', isOfResource: true, only: [KUEUE] }, { path: 'spec.labels' }],
      annotations: [
        { path: 'metadata.annotations', isOfResource: true, only: [KUEUE, 'k8s.v1.cni.cncf.io', 'prometheus.io'] },
        { path: 'spec.annotations' },
      ],
    },
    isKserveKey,
  );

const KUEUE = 'kueue.x-k8s.io';

/** One flag of vLLM's. */
function trusting(spec: Fields, engine: { readonly args?: readonly Json[] }): object {
  if (spec.flag('trustRemoteCode') !== true) return engine;
  spec.note('trustRemoteCode', 'is --trust-remote-code of the engine');
  return { ...engine, args: [...(engine.args ?? []), '--trust-remote-code'] };
}

function parallelismOf(parallelism: Fields, otherwise: object): object {
  const tensor = parallelism.number('tensor');
  const pipeline = parallelism.number('pipeline');
  const split = { ...given('tensor', tensor), ...given('pipeline', pipeline) };
  return Object.keys(split).length === 0 ? otherwise : { parallelism: split };
}

function llmReplicas(spec: Fields): object {
  const scaling = spec.at('scaling');
  const most = scaling.number('maxReplicas');
  if (most === undefined) return given('replicas', spec.number('replicas'));
  return { autoscaling: scalingByCpu(scaling, fewestOf(scaling, 1), most) };
}
