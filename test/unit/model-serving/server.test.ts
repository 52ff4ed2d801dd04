import { describe, expect, test } from 'vitest';
import type { Probe } from '../../../constructs/parts/objects/kube.ts';
import type { ModelServingSpecInput } from '../../../constructs/index.ts';
import { inFlightOf } from '../../../constructs/model-serving/launch.ts';
import { construct, parsed, podOf, serverOf, specOf } from './support/render.ts';
import { shared, single } from './support/specs.ts';

describe('the command line', () => {
  test("has the user's arguments last, so that they win where an engine takes the last", () => {
    const { args } = serverOf({ ...single, engine: { type: 'vllm', args: ['--max-model-len=8192'] } });
    expect(args?.at(-1)).toBe('--max-model-len=8192');
  });

  test('splits the model over all GPUs where the spec does not say how', () => {
    const { args } = serverOf({ ...single, resources: { gpu: 4 } });
    expect(args).toContain('--tensor-parallel-size=4');
  });

  test('serves under the name of the resource where the spec gives none', () => {
    expect(serverOf(single).args).toContain('--served-model-name=llama');
    const named = { ...single, model: { ...single.model, name: 'meta/llama-3' } };
    expect(serverOf(named).args).toContain('--served-model-name=meta/llama-3');
  });
});

describe('the image', () => {
  test('is what the spec names, else what was pinned, else what this release pins', () => {
    const named = { ...single, engine: { type: 'vllm' as const, image: 'mine:1' } };
    const pinned = { images: { engine: 'old:1', fetcher: 'old-node:1' } };
    expect(serverOf(named, pinned).image).toBe('mine:1');
    expect(serverOf(single, pinned).image).toBe('old:1');
    expect(serverOf(single).image).toMatch(/^docker\.io\/vllm\/vllm-openai:.*@sha256:/);
    expect(podOf(single, pinned).initContainers?.[0]?.image).toBe('old-node:1');
  });
});

describe('variables', () => {
  test('of the engine win over those of all containers, which win over ours; a name occurs once', () => {
    const { env = [] } = serverOf({
      ...single,
      env: [
        { name: 'HF_HUB_OFFLINE', value: '0' },
        { name: 'LEVEL', value: 'pod' },
      ],
      engine: { type: 'vllm', env: [{ name: 'LEVEL', value: 'engine' }] },
    });
    expect(env.filter(({ name }) => name === 'HF_HUB_OFFLINE')).toEqual([{ name: 'HF_HUB_OFFLINE', value: '0' }]);
    expect(env.filter(({ name }) => name === 'LEVEL')).toEqual([{ name: 'LEVEL', value: 'engine' }]);
  });

  test('do not bring credentials to the server, only to what fetches', () => {
    expect(JSON.stringify(podOf(single).initContainers)).toContain('hf-token');
    expect(JSON.stringify(serverOf(single))).not.toContain('hf-token');
  });
});

describe('the stop', () => {
  test('waits in the pod until the engine has nothing in flight', () => {
    const command = JSON.stringify(serverOf(single).lifecycle);
    expect(command).toContain('http://127.0.0.1:8000/metrics');
    expect(command).toContain('vllm:num_requests_running');
    expect(command).toContain('vllm:num_requests_waiting');
  });

  test('asks the port that the spec gives', () => {
    const spec = { ...single, engine: { type: 'vllm' as const, port: 9000 } };
    expect(JSON.stringify(serverOf(spec).lifecycle)).toContain('http://127.0.0.1:9000/metrics');
  });

  test('lasts as long as the drain may, and the grace period is longer', () => {
    for (const timeoutSeconds of [1, 120, 3600]) {
      const spec = { ...single, drain: { timeoutSeconds } };
      expect(podOf(spec).terminationGracePeriodSeconds).toBeGreaterThan(timeoutSeconds);
    }
  });

  test('does not wait where the drain may take no time', () => {
    expect(serverOf({ ...single, drain: { timeoutSeconds: 0 } }).lifecycle).toBeUndefined();
  });

  test('leaves it to an engine that ends its requests by itself', () => {
    const spec = { ...single, engine: { type: 'triton' as const }, drain: { timeoutSeconds: 60 } };
    expect(serverOf(spec).lifecycle).toEqual({ preStop: { sleep: { seconds: 5 } } });
    expect(serverOf(spec).args).toContain('--exit-timeout-secs=60');
  });

  test('sleeps for the whole time where nobody can tell', () => {
    const spec = { ...single, engine: { type: 'custom' as const, image: 'serve:1' }, drain: { timeoutSeconds: 60 } };
    expect(serverOf(spec).lifecycle).toEqual({ preStop: { sleep: { seconds: 60 } } });
  });

  test('is told to others by the same names as it uses itself', () => {
    expect(inFlightOf(parsed(single))).toEqual({
      port: 8000,
      path: '/metrics',
      metrics: ['vllm:num_requests_running', 'vllm:num_requests_waiting'],
    });
    expect(inFlightOf(parsed({ ...single, engine: { type: 'triton' } }))).toBeUndefined();
  });
});

describe('time', () => {
  const sized = (size: string) => ({ ...shared, storage: { size, accessMode: 'ReadWriteMany' as const } });
  const startup = (size: string) => {
    const { periodSeconds = 0, failureThreshold = 0 } = serverOf(sized(size)).startupProbe ?? {};
    return periodSeconds * failureThreshold;
  };

  test('to start is the same for every volume, which may grow: it has room for 1 TiB on a slow disk', () => {
    expect(startup('100Gi')).toBe(startup('40Gi'));
    expect(startup('100Gi')).toBeGreaterThan(600 + (1024 * 1024) / 50);
  });

  test('to roll has room for the pull, the fetch and the start', () => {
    const deadline = Number(specOf('deployment', sized('100Gi'))['progressDeadlineSeconds']);
    const [pull, fetch, start] = [900, (100 * 1024) / 25, 600 + (100 * 1024) / 50];
    expect(deadline).toBeGreaterThanOrEqual(pull + fetch + start);
    expect(deadline).toBeLessThan(pull + fetch + start + 10);
  });
});

describe('health', () => {
  test('of a custom engine is that its port accepts connections, or the path that the spec gives', () => {
    const engine = { type: 'custom' as const, image: 'serve:1' };
    expect(serverOf({ ...single, engine }).readinessProbe).toMatchObject({ tcpSocket: { port: 'http' } });
    const answered = serverOf({ ...single, engine: { ...engine, healthPath: '/up' } });
    expect(answered.livenessProbe).toMatchObject({ httpGet: { path: '/up', port: 'http' } });
  });
});

test('a server that hangs has seconds to end, however long a drain may take', () => {
  const { startupProbe, livenessProbe, readinessProbe } = serverOf({ ...single, drain: { timeoutSeconds: 3600 } });
  expect(livenessProbe?.terminationGracePeriodSeconds).toBe(30);
  expect(startupProbe?.terminationGracePeriodSeconds).toBe(30);
  // The API server refuses it there.
  expect(readinessProbe).not.toHaveProperty('terminationGracePeriodSeconds');
});

describe('under load', () => {
  /** Seconds that a probe bears a server that accepts connections and answers nothing, and one that refuses them. */
  const borne = ({ periodSeconds = 10, timeoutSeconds = 1, failureThreshold = 3 }: Probe = {}) => ({
    idle: Math.max(periodSeconds, timeoutSeconds) * failureThreshold,
    refusal: periodSeconds * failureThreshold,
  });

  test.each(['vllm', 'sglang', 'tgi', 'triton', 'tensorflow-serving'] as const)(
    'a server of %s that answers late stays in its Service, and is not started again',
    (type) => {
      const { readinessProbe, livenessProbe } = serverOf({
        ...single,
        engine: { type },
        security: { level: 'baseline' },
      });
      expect(readinessProbe?.timeoutSeconds).toBeGreaterThanOrEqual(15);
      expect(borne(readinessProbe).idle).toBeGreaterThanOrEqual(150);
      // A restart loads the model again: it comes long after the server has left the Service.
      expect(borne(livenessProbe).idle).toBeGreaterThanOrEqual(2 * borne(readinessProbe).idle);
      expect(borne(readinessProbe).refusal).toBeLessThan(60);
    },
  );

  test("SGLang's health does not wait for a token behind a long prefill", () => {
    expect(serverOf({ ...single, engine: { type: 'sglang' } }).env).toContainEqual({
      name: 'SGLANG_ENABLE_HEALTH_ENDPOINT_GENERATION',
      value: 'false',
    });
  });
});

describe('a model that is in the image of its engine', () => {
  const { storage: _, ...rest } = single;
  const engine = { type: 'custom' as const, image: 'ghcr.io/example/llama:3' };

  test('is mounted from nowhere, and lies at the root', () => {
    const spec = { ...rest, model: { uri: 'oci://ghcr.io/example/llama:3' }, engine };
    const server = serverOf(spec);
    expect(server.volumeMounts?.map(({ name }) => name)).not.toContain('weights');
    expect(server.env).toContainEqual({ name: 'MODEL_PATH', value: '/' });
  });

  test('is mounted where the image is another', () => {
    const spec = { ...rest, model: { uri: 'oci://ghcr.io/example/llama:4' }, engine };
    expect(serverOf(spec).volumeMounts?.map(({ name }) => name)).toContain('weights');
  });
});

describe('warnings', () => {
  test("tell who gives a file in GGUF to vLLM's own image that it reads none", () => {
    const reported = expect.stringMatching(/^spec\.engine\.image: .*vllm-gguf-plugin/) as unknown;
    const given = (uri: string, model: object, engine: object = {}) =>
      construct({ ...shared, model: { uri, ...model }, engine: { type: 'vllm', ...engine } }).warnings;
    expect(given('https://models.example.com/m.gguf', {})).toContainEqual(reported);
    expect(given('https://models.example.com/m.gguf', {}, { image: 'example.com/vllm:1' })).not.toContainEqual(
      reported,
    );
    expect(given('https://models.example.com/m.gguf', {}, { type: 'sglang' })).not.toContainEqual(reported);
  });

  test('tell who gives a repository of GGUF to an engine that reads no folder of it to name the file', () => {
    const reported = expect.stringMatching(/^spec\.model\.file: .*name the file/) as unknown;
    const given = (model: object, engine: ModelServingSpecInput['engine'] = { type: 'sglang' }) =>
      construct({ ...shared, model: { uri: 'hf://acme/tiny-GGUF', ...model }, engine }).warnings;
    expect(given({})).toContainEqual(reported);
    expect(given({}, { type: 'vllm' })).toContainEqual(reported);
    expect(given({}, { type: 'tgi', image: 'example.com/tgi:1' }).join()).toMatch(
      /and tgi finds no weights in a folder of it/,
    );
    expect(given({ file: 'm.gguf' })).not.toContainEqual(reported);
    expect(given({ uri: 'hf://acme/tiny' })).not.toContainEqual(reported);
    expect(given({ uri: 'https://models.example.com/m.gguf' })).not.toContainEqual(reported);
    expect(given({}, { type: 'custom', image: 'example.com/llama:1' })).not.toContainEqual(reported);
  });

  test.each([['--load-format=mistral'], ['--load-format', 'mistral'], ['--load_format=mistral']])(
    "tell who asks for Mistral's own format by %s that it is not fetched",
    (...args) => {
      const reported = expect.stringMatching(/^spec\.model\.files: .*name it in include$/) as unknown;
      const asking = (model: object) =>
        construct({ ...shared, model: { ...shared.model, ...model }, engine: { type: 'vllm', args } }).warnings;
      expect(asking({})).toContainEqual(reported);
      expect(asking({ files: { include: ['consolidated*'] } })).not.toContainEqual(reported);
    },
  );

  test('say where a change must interrupt the service', () => {
    expect(construct(single, {}).warnings).toEqual([
      expect.stringMatching(/^spec\.storage\.accessMode: .*ReadWriteMany/),
    ]);
    expect(construct({ ...shared, replicas: 1, rollout: { maxSurge: 0 } }).warnings).toEqual([
      expect.stringMatching(/^spec\.rollout\.maxSurge: /),
    ]);
    expect(construct(shared).warnings).toEqual([]);
  });

  test('say of a latency alone that no number of replicas may reach it', () => {
    const { replicas: _, ...unscaled } = shared;
    const prometheus = { serverAddress: 'http://prometheus:9090' };
    const warnings = (targets: NonNullable<ModelServingSpecInput['autoscaling']>['targets']) =>
      construct({ ...unscaled, autoscaling: { maxReplicas: 4, targets, prometheus } }).warnings;
    const reported = expect.stringMatching(/^spec\.autoscaling\.targets: no number of replicas/);
    expect(warnings({ ttftMilliseconds: 500 })).toContainEqual(reported);
    expect(warnings({ ttftMilliseconds: 500, runningRequests: 32 })).not.toContainEqual(reported);
  });

  test('say in a static host that nobody closes what the fetch of a server may reach, and what does', () => {
    const reported = /^spec\.storage\.accessMode: .* HTTPS anywhere, .* under the operator, .* or choose ReadWriteMany/;
    expect(construct(single).warnings).toContainEqual(expect.stringMatching(reported));
    expect(construct(single, {}).warnings).not.toContainEqual(expect.stringMatching(reported));
  });

  test('are found by cdk8s on the construct', () => {
    const { node, warnings } = construct(single);
    expect(node.metadata.map(({ type, data }) => [type, data])).toEqual(warnings.map((text) => ['warning', text]));
  });
});
