import { describe, expect, test } from 'vitest';
import {
  equivalentOf,
  huggingFace,
  inferenceService,
  kubeaiModel,
  specOf,
  noteOn,
} from '../../../support/equivalents.ts';

describe('an InferenceService', () => {
  test('of PyTorch is not given to Triton, which reads none of TorchServe’s arguments', () => {
    for (const predictor of [
      'pytorch: {storageUri: gs://a/b}',
      'model: {modelFormat: {name: pytorch}, storageUri: gs://a/b}',
    ]) {
      const equivalent = inferenceService(predictor);
      expect(specOf(equivalent)).toMatchObject({ engine: { type: 'custom' } });
      expect(JSON.stringify(equivalent.notes)).toContain('no engine serves pytorch');
    }
  });

  test('of PyTorch that names Triton’s runtime is served by Triton', () => {
    const equivalent = inferenceService(
      'model: {modelFormat: {name: pytorch}, runtime: kserve-tritonserver, storageUri: gs://a/b}',
    );
    expect(specOf(equivalent)).toMatchObject({ engine: { type: 'triton' } });
  });

  test('hands its labels and annotations to pods, and says which the operator puts on none', () => {
    const equivalent = inferenceService(
      'labels: {tier: gold}, model: {modelFormat: {name: vllm}, storageUri: hf://owner/model}',
      'name: sample, labels: {team: a, app.kubernetes.io/part-of: chat}, annotations: {sidecar.istio.io/inject: "false", vault.hashicorp.com/agent-inject: "true", serving.kserve.io/deploymentMode: Standard}',
    );
    expect(specOf(equivalent)).toMatchObject({
      podTemplate: {
        metadata: { labels: { team: 'a', tier: 'gold' }, annotations: { 'sidecar.istio.io/inject': 'false' } },
      },
    });
    expect(noteOn(equivalent, 'metadata.annotations[vault.hashicorp.com/agent-inject]')).toContain(
      'allowedAnnotations.pod',
    );
    expect(noteOn(equivalent, 'metadata.labels[app.kubernetes.io/part-of]')).toContain('set by Trunnion');
    expect(noteOn(equivalent, 'metadata.annotations[serving.kserve.io/deploymentMode]')).toBe(
      'is read by KServe alone',
    );
    expect(equivalent.manifest.metadata.annotations).not.toHaveProperty('serving.kserve.io/deploymentMode');
  });

  test('with devices by DRA does not become one without GPUs', () => {
    const byAnnotation = huggingFace(
      '',
      'name: sample, annotations: {serving.kserve.io/exp-dra-device-class: gpu.nvidia.com}',
    );
    const byClaim = inferenceService(
      'resourceClaims: [{name: gpu}], model: {modelFormat: {name: vllm}, storageUri: hf://owner/model, resources: {claims: [{name: gpu}]}}',
    );
    for (const equivalent of [byAnnotation, byClaim]) {
      expect(specOf(equivalent)).not.toHaveProperty('resources.gpu');
      expect(equivalent.problems.map(({ path }) => path)).toEqual(['spec.resources.gpu']);
      expect(JSON.stringify(equivalent.notes)).toContain('devices by DRA');
    }
  });

  test('says the name and the place of its model by fields, and not by arguments that vLLM does not know', () => {
    const equivalent = huggingFace(
      'args: [--model_name=llama, --model_dir=/mnt/models, --max_length=4096, --task=text_generation, --chat-template, /mnt/models/chat.jinja]',
    );
    expect(specOf(equivalent)).toMatchObject({
      model: { name: 'llama' },
      engine: { args: ['--max-model-len=4096', '--chat-template', '$(MODEL_PATH)/chat.jinja'] },
    });
    expect(noteOn(equivalent, 'spec.predictor.model.args[3]')).toContain('is left out');
    expect(noteOn(equivalent, 'spec.predictor.model.args[5]')).toContain('$(MODEL_PATH)');
  });

  test('that downloads by itself gives its token to the fetch', () => {
    const equivalent = inferenceService(
      'model: {modelFormat: {name: huggingface}, args: [--model_id=owner/model, --model_revision=v1], env: [{name: HF_TOKEN, value: t}]}',
    );
    expect(specOf(equivalent)).toMatchObject({
      model: { uri: 'hf://owner/model@v1' },
      env: [{ name: 'HF_TOKEN', value: 't' }],
    });
  });

  test('that is started by a shell is run as it is, and no engine gets the script as an argument', () => {
    const equivalent = inferenceService(
      'model: {modelFormat: {name: vllm}, storageUri: hf://owner/model, image: vllm:1, command: [sh, -c], args: ["vllm serve /mnt/models --port 8080"]}',
    );
    expect(specOf(equivalent)).toMatchObject({
      engine: { type: 'custom', command: ['sh', '-c'], args: ['vllm serve $(MODEL_PATH) --port 8080'] },
    });
    expect(noteOn(equivalent, 'spec.predictor.model.command')).toContain('custom');
  });

  test('keeps the port of its container, EFA, Neuron and other resources, and the containers beside it', () => {
    const equivalent = inferenceService(
      'initContainers: [{name: warm, image: warm:1}], containers: [{name: kserve-container, image: serve:1, ports: [{containerPort: 9000}], resources: {limits: {aws.amazon.com/neuron: 2, vpc.amazonaws.com/efa: 4}}}, {name: proxy, image: proxy:1}]',
    );
    expect(specOf(equivalent)).toMatchObject({
      model: { uri: 'oci://serve:1' },
      engine: { port: 9000 },
      resources: { gpu: 2, gpuResource: 'aws.amazon.com/neuron' },
      podTemplate: {
        spec: {
          initContainers: [{ name: 'warm', image: 'warm:1' }],
          containers: [
            { name: 'server', resources: { limits: { 'vpc.amazonaws.com/efa': 4 } } },
            { name: 'proxy', image: 'proxy:1' },
          ],
        },
      },
    });
    expect(equivalent.problems).toEqual([]);
  });

  test('is carried over where it was refused: a revision behind a colon, an amount with a fraction, an apiVersion of a field', () => {
    const equivalent = inferenceService(
      'model: {modelFormat: {name: vllm}, storageUri: "hf://owner/model:v1", resources: {requests: {cpu: 0.1}, limits: {nvidia.com/gpu: 2}}, args: [--tensor-parallel-size=2], env: [{name: POD, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: metadata.name}}}]}',
    );
    expect(specOf(equivalent)).toMatchObject({
      model: { uri: 'hf://owner/model@v1' },
      engine: { env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
      resources: { cpu: '0.1', gpu: 2 },
    });
    expect(specOf(equivalent)).not.toHaveProperty('engine.args');
    expect(equivalent.problems).toEqual([]);
  });

  test('that splits its model in another way than over its GPUs says so', () => {
    const args = (sizes: string) => huggingFace(`args: [${sizes}], resources: {limits: {nvidia.com/gpu: 4}}`);
    expect(specOf(args('--tensor-parallel-size=2, --pipeline-parallel-size=2'))).toMatchObject({
      parallelism: { tensor: 2, pipeline: 2 },
    });
    expect(args('-tp, "2"').problems.map(({ path }) => path)).toEqual(['spec.parallelism']);
  });
});

describe('an LLMInferenceService', () => {
  test('hands to pods what KServe hands to them, and no other label of its own', () => {
    const equivalent = equivalentOf(
      '{apiVersion: serving.kserve.io/v1alpha2, kind: LLMInferenceService, metadata: {name: sample, labels: {kueue.x-k8s.io/queue-name: llm, team: a}, annotations: {k8s.v1.cni.cncf.io/networks: other/net}}, spec: {model: {uri: hf://owner/model}, labels: {tier: gold}}}',
    );
    expect(specOf(equivalent)).toMatchObject({
      podTemplate: { metadata: { labels: { 'kueue.x-k8s.io/queue-name': 'llm', tier: 'gold' } } },
    });
    expect(specOf(equivalent)).not.toHaveProperty('podTemplate.metadata.labels.team');
    expect(noteOn(equivalent, 'metadata.annotations[k8s.v1.cni.cncf.io/networks]')).toContain('reaches no pod');
  });
});

describe('a Model of KubeAI', () => {
  test('gives its variables to the fetch as well as to the engine', () => {
    const equivalent = kubeaiModel('env: {AWS_ENDPOINT_URL: "http://minio:9000", HF_TOKEN: t}');
    expect(specOf(equivalent)).toMatchObject({
      env: [
        { name: 'AWS_ENDPOINT_URL', value: 'http://minio:9000' },
        { name: 'HF_TOKEN', value: 't' },
      ],
    });
    expect(specOf(equivalent)).not.toHaveProperty('engine.env');
  });

  test('with a dot in its name is served under that name by a resource of another', () => {
    const equivalent = kubeaiModel('', 'llama-3.1-8b');
    expect(equivalent.manifest.metadata.name).toBe('llama-3-1-8b');
    expect(specOf(equivalent)).toMatchObject({ model: { name: 'llama-3.1-8b' } });
    expect(noteOn(equivalent, 'metadata.name')).toContain('llama-3-1-8b');
    expect(kubeaiModel('', '7b').manifest.metadata.name).toBe('x-7b');
  });

  test('keeps its priority', () => {
    expect(specOf(kubeaiModel('priorityClassName: high'))).toMatchObject({ priorityClassName: 'high' });
  });
});

describe('a path of KServe’s', () => {
  test('is left as it is where a volume of the user stands there, and is reported where it takes no variable', () => {
    const own = inferenceService(
      'volumes: [{name: m, persistentVolumeClaim: {claimName: m}}], containers: [{name: kserve-container, image: serve:1, args: [--dir=/mnt/models], volumeMounts: [{name: m, mountPath: /mnt/models}]}]',
    );
    expect(specOf(own)).toMatchObject({ engine: { args: ['--dir=/mnt/models'] } });
    const folder = huggingFace('workingDir: /mnt/models');
    expect(noteOn(folder, 'spec.predictor.model.workingDir')).toContain('MODEL_PATH');
  });
});
