import { describe, expect, test } from 'vitest';
import {
  equivalentOf,
  huggingFace,
  inferenceService,
  kubeaiModel,
  specOf,
  noteOn,
} from '../../../support/equivalents.ts';

const llm = (container: string, spec = '', name = 'sample') =>
  equivalentOf(
    `{apiVersion: serving.kserve.io/v1alpha2, kind: LLMInferenceService, metadata: {name: ${name}}, spec: {model: {uri: hf://owner/model, name: llama}, ${spec} template: {containers: [{name: main, ${container}}]}}}`,
  );
const MAIN = 'spec.template.containers[0]';

describe('the script that starts the engine of an LLMInferenceService', () => {
  test('reads arguments from a variable, and here they are arguments', () => {
    const equivalent = llm(
      `env: [{name: VLLM_ADDITIONAL_ARGS, value: "--max-model-len 4096 --override '{\\"a\\": 1}' --revision=v2"}, {name: A, value: b}]`,
    );
    expect(specOf(equivalent)).toMatchObject({
      model: { uri: 'hf://owner/model@v2' },
      engine: { type: 'vllm', args: ['--max-model-len', '4096', '--override', '{"a": 1}'] },
    });
    expect(specOf(equivalent)).toHaveProperty('engine.env', [{ name: 'A', value: 'b' }]);
    expect(noteOn(equivalent, `${MAIN}.env[0].name`)).toContain('arguments of the engine');
  });

  test('leaves out what only a shell can read, and variables that only the script reads, and says so', () => {
    const equivalent = llm(
      'env: [{name: VLLM_ADDITIONAL_ARGS, value: "--seed $SEED"}, {name: KSERVE_INFER_ROCE, value: "true"}]',
    );
    expect(specOf(equivalent)).not.toHaveProperty('engine.args');
    expect(specOf(equivalent)).not.toHaveProperty('engine.env');
    expect(noteOn(equivalent, `${MAIN}.env[0].name`)).toContain('engine.args');
    expect(noteOn(equivalent, `${MAIN}.env[1].name`)).toContain('only the script reads it');
  });

  test('is not there where a command is, whose variables stay', () => {
    const equivalent = llm('image: a:1, command: [sh, -c, run], env: [{name: VLLM_ADDITIONAL_ARGS, value: --seed=1}]');
    expect(specOf(equivalent)).toHaveProperty('engine.env', [{ name: 'VLLM_ADDITIONAL_ARGS', value: '--seed=1' }]);
    expect(specOf(equivalent)).not.toHaveProperty('engine.args');
  });
});

describe('a template of KServe’s', () => {
  test('is filled in with the name of the resource, and with that of its model', () => {
    const equivalent = llm(
      'args: ["--served-model-name={{ .Spec.Model.Name }}", "--x={{.Name}}"], env: [{name: A, value: "{{ .ObjectMeta.Name }}"}]',
    );
    expect(specOf(equivalent)).toMatchObject({
      model: { name: 'llama' },
      engine: { args: ['--x=sample'], env: [{ name: 'A', value: 'sample' }] },
    });
    expect(specOf(huggingFace('args: ["--x={{.Name}}"]'))).toMatchObject({ engine: { args: ['--x=sample'] } });
  });

  test('that stands for something else is reported', () => {
    const equivalent = huggingFace('args: ["--x={{.Labels.a}}"], env: [{name: A, value: "{{.Labels.a}}"}]');
    expect(noteOn(equivalent, 'spec.predictor.model.args[0]')).toContain('write the value');
    expect(noteOn(equivalent, 'spec.predictor.model.env[0].value')).toContain('write the value');
  });
});

test('a transformer beside the engine is reported: requests went to it first', () => {
  const equivalent = inferenceService(
    'model: {modelFormat: {name: vllm}, storageUri: hf://a/b}, containers: [{name: transformer-container, image: t:1}]',
  );
  expect(noteOn(equivalent, 'spec.predictor.containers[0].name')).toContain('the Service leads to the engine');
});

describe('the revision of a model', () => {
  test('that an argument says is that of the URI', () => {
    for (const equivalent of [
      kubeaiModel('args: [--revision=v1]'),
      llm('args: [--revision, v1]'),
      inferenceService('model: {modelFormat: {name: vllm}, storageUri: hf://owner/model, args: [--revision=v1]}'),
      huggingFace('args: [--model_revision=v1]'),
    ]) {
      expect(specOf(equivalent)).toMatchObject({ model: { uri: 'hf://owner/model@v1' } });
      expect(specOf(equivalent)).not.toHaveProperty('engine.args');
    }
  });

  test('is reported where the URI says another, or takes none', () => {
    const equivalent = inferenceService(
      'model: {modelFormat: {name: vllm}, storageUri: "hf://owner/model@v2", args: [--revision=v1]}',
    );
    expect(specOf(equivalent)).toMatchObject({ model: { uri: 'hf://owner/model@v2' } });
    expect(noteOn(equivalent, 'spec.predictor.model.args')).toContain('not revision v1');
  });
});

describe('arguments of vLLM', () => {
  test('that make several engines of one pod are reported, with their value', () => {
    for (const args of ['--data-parallel-size=2', '-dp, "2"']) {
      const equivalent = kubeaiModel(`args: [${args}]`);
      expect(noteOn(equivalent, 'spec.args[0]')).toContain('raise replicas');
      expect(specOf(equivalent)).not.toHaveProperty('engine.args');
    }
  });

  test('say several names, of which the first is that of the model', () => {
    const equivalent = kubeaiModel('args: [--served-model-name, a, b, c, --seed=1]');
    expect(specOf(equivalent)).toMatchObject({ model: { name: 'a' }, engine: { args: ['--seed=1'] } });
    expect(noteOn(equivalent, 'spec.args[2]')).toContain('model.name is the first name');
    expect(noteOn(equivalent, 'spec.args[3]')).toContain('model.name is the first name');
  });

  test('that say no number of GPUs had one, and all of them here', () => {
    const gpus = 'resources: {limits: {nvidia.com/gpu: 4}}';
    const vllm = (args: string) =>
      inferenceService(`model: {modelFormat: {name: vllm}, storageUri: hf://owner/model, ${args} ${gpus}}`);
    for (const equivalent of [
      vllm(''),
      vllm('args: [--seed=1],'),
      llm(gpus),
      kubeaiModel('resourceProfile: "gpu:4"'),
    ]) {
      expect(noteOn(equivalent, 'spec.parallelism')).toContain('all 4 GPUs');
    }
    for (const equivalent of [vllm('args: [-tp=4],'), llm(gpus, 'parallelism: {tensor: 4},'), huggingFace(gpus)]) {
      expect(noteOn(equivalent, 'spec.parallelism')).toBe('');
    }
  });

  test('that name another model of the hub are reported', () => {
    const equivalent = kubeaiModel('args: [--tokenizer, owner/other, --tokenizer=/mnt/folder]');
    expect(specOf(equivalent)).toMatchObject({
      engine: { args: ['--tokenizer', 'owner/other', '--tokenizer=/mnt/folder'] },
    });
    expect(noteOn(equivalent, 'spec.args[0]')).toContain('no hub');
    expect(noteOn(equivalent, 'spec.args[2]')).toBe('');
    const speculative = kubeaiModel(
      `args: ['--speculative-config={"model": "owner/draft", "num_speculative_tokens": 2}']`,
    );
    expect(noteOn(speculative, 'spec.args[0]')).toContain('owner/draft');
  });

  test('follow the model’s path in a command of vLLM’s own', () => {
    const equivalent = llm('command: [vllm, serve, /mnt/models, --seed=1], args: [--max-model-len=8]');
    expect(specOf(equivalent)).toMatchObject({ engine: { type: 'vllm', args: ['--seed=1', '--max-model-len=8'] } });
    expect(specOf(llm('command: [vllm, serve], args: [/mnt/models]'))).not.toHaveProperty('engine.args');
  });
});

describe('the port of an engine', () => {
  test('of a program of an LLMInferenceService is 8000, or the one that it says', () => {
    expect(specOf(llm('image: a:1, command: [serve]'))).toMatchObject({ engine: { port: 8000 } });
    expect(specOf(llm('image: a:1, command: [serve], args: [--port, "9000"]'))).toMatchObject({
      engine: { port: 9000 },
    });
    expect(specOf(llm('image: a:1, command: [sh, -c], args: ["vllm serve m --port 9000 && x"]'))).toMatchObject({
      engine: { port: 9000 },
    });
  });

  test('is no port of gRPC', () => {
    const equivalent = inferenceService(
      'containers: [{name: kserve-container, image: a:1, ports: [{name: h2c, containerPort: 9000}, {name: http1, containerPort: 8000}]}]',
    );
    expect(specOf(equivalent)).toMatchObject({ engine: { port: 8000 } });
    expect(noteOn(equivalent, 'spec.predictor.containers[0].ports[0].containerPort')).toContain('HTTP alone');
  });

  test('is the one of its arguments, and another one of its container is reported', () => {
    const equivalent = huggingFace('args: [--http-port=9000], ports: [{containerPort: 8080}]');
    expect(specOf(equivalent)).toMatchObject({ engine: { port: 9000 } });
    expect(noteOn(equivalent, 'spec.predictor.model.ports[0].containerPort')).toContain('listens on 9000');
  });
});

describe('what an engine may not do here', () => {
  test('is reported wherever an image of the user’s own runs', () => {
    const container = inferenceService('containers: [{name: kserve-container, image: a:1}]');
    for (const equivalent of [container, llm('image: a:1'), kubeaiModel('image: "a:1"'), huggingFace('image: "a:1"')]) {
      expect(noteOn(equivalent, 'spec.egress')).toContain('say what it may reach');
      expect(noteOn(equivalent, 'spec.security.level')).toContain('user 1000');
    }
    expect(noteOn(kubeaiModel(''), 'spec.egress')).toBe('');
  });

  test('warns of a ServiceAccount, whose Secrets KServe downloads with', () => {
    const equivalent = inferenceService(
      'serviceAccountName: s3, model: {modelFormat: {name: vllm}, storageUri: s3://a/b}',
    );
    expect(noteOn(equivalent, 'spec.predictor.serviceAccountName')).toContain('model.credentials');
  });
});

test('replicas without a limit are reported where Knative may add them', () => {
  const model = 'model: {modelFormat: {name: vllm}, storageUri: hf://a/b}';
  for (const equivalent of [inferenceService(model), inferenceService(`maxReplicas: 0, ${model}`)]) {
    expect(specOf(equivalent)).toMatchObject({ replicas: 1 });
    expect(noteOn(equivalent, 'spec.replicas')).toContain('without a limit');
  }
  const plain = inferenceService(model, 'name: a, annotations: {serving.kserve.io/deploymentMode: Standard}');
  for (const equivalent of [plain, inferenceService(`maxReplicas: 3, ${model}`)]) {
    expect(noteOn(equivalent, 'spec.replicas')).toBe('');
  }
});

describe('the address that an engine listens on', () => {
  const at = (host: string) => huggingFace(`args: ["--host=${host}"]`);

  test('is the family of the addresses where it stands for all of them', () => {
    expect(specOf(at('::'))).toHaveProperty('engine.ipFamily', 'IPv6');
    expect(specOf(at('0.0.0.0'))).not.toHaveProperty('engine.ipFamily');
    for (const host of ['::', '0.0.0.0']) expect(specOf(at(host))).not.toHaveProperty('engine.args');
  });

  test('is left out where it is one of them, and that is reported', () => {
    const equivalent = at('127.0.0.1');
    expect(specOf(equivalent)).not.toHaveProperty('engine.ipFamily');
    expect(JSON.stringify(equivalent)).toContain('listens on all addresses of engine.ipFamily');
  });
});

describe('vLLM that nobody gives a GPU', () => {
  const CPUS = 'spec.resources.gpu';
  const HALF = 'give the number of GPUs if it has any, and memory, of which vLLM takes half';

  test('is told to run on CPUs, and that memory limits what it takes', () => {
    expect(noteOn(huggingFace(''), CPUS)).toContain(HALF);
    expect(noteOn(huggingFace('resources: {limits: {memory: 8Gi}}'), CPUS)).toMatch(/runs on CPUs.* if it has any$/);
    expect(noteOn(kubeaiModel('resourceProfile: "cpu:1"'), CPUS)).toContain(HALF);
  });

  test('is not told so where it has one, where an image is named, or where another engine serves', () => {
    expect(noteOn(huggingFace('resources: {limits: {nvidia.com/gpu: 1}}'), CPUS)).toBe('');
    expect(noteOn(kubeaiModel('image: "mine:1"'), CPUS)).toBe('');
    expect(noteOn(inferenceService('model: {modelFormat: {name: triton}, storageUri: s3://m/a}'), CPUS)).toBe('');
  });
});
