import { describe, expect, test } from 'vitest';
import {
  agentOf,
  annotationsOf,
  childOf,
  configOf,
  construct,
  idsOf,
  render,
  serving,
  specOf,
  templateOf,
} from './support/render.ts';
import { minimal, SPECS, support } from './support/specs.ts';

const { image } = minimal;
const resolved = {
  model: {
    baseUrl: 'http://llama.agents.svc:8000/v1',
    name: 'llama',
    port: 8000,
    selector: { 'app.kubernetes.io/instance': 'llama' },
  },
};

describe('the configuration', () => {
  test('tells the agent its model, how it answers, its tools and MCP servers, in the notation of each', () => {
    expect(configOf(support)).toEqual({
      MODEL_NAME: 'gpt-4o',
      TEMPERATURE: '0.5',
      MAX_TOKENS: '2048',
      TOOLS: 'knowledge-base-search,ticket-creator,calendar-lookup',
      MCP_SERVERS: '[{"name":"tickets","url":"http://tickets.agents.svc:8080/mcp"}]',
    });
  });

  test('says nothing of what the spec leaves to the agent', () => {
    expect(configOf(minimal)).toEqual({ MODEL_NAME: 'gpt-4o' });
    expect(configOf({ ...minimal, temperature: 0, tools: [] })).toEqual({
      MODEL_NAME: 'gpt-4o',
      TEMPERATURE: '0',
      TOOLS: '',
    });
  });

  test('reaches the container as variables, key by key', () => {
    const fromConfig = agentOf(support).env?.filter(({ valueFrom }) => valueFrom?.configMapKeyRef);
    expect(fromConfig?.map(({ name }) => name).toSorted()).toEqual(Object.keys(configOf(support)));
  });

  test('rolls the pods when it changes, in whichever host, and only then', () => {
    const hash = (spec: typeof support) => annotationsOf(spec)['trunnion.dev/config'];
    expect(hash({ ...support, temperature: 0.6 })).not.toBe(hash(support));
    expect(hash({ ...support, tools: ['ticket-creator'] })).not.toBe(hash(support));
    expect(hash({ ...support, healthPath: '/healthz' })).toBe(hash(support));
  });

  test('is there before pods that go by it', () => {
    expect(childOf('deployment', support).after).toContain('config');
  });

  test('has no credentials: these stay in their Secrets', () => {
    expect(agentOf(support).env).toContainEqual({
      name: 'OPENAI_API_KEY',
      valueFrom: { secretKeyRef: { name: 'openai', key: 'api-key' } },
    });
    expect(JSON.stringify(childOf('config', support))).not.toContain('openai');
  });

  test('names a variable once, as the user has it', () => {
    const { env = [] } = agentOf({ ...minimal, env: [{ name: 'USER', value: 'me' }] });
    expect(env.filter(({ name }) => name === 'USER')).toEqual([{ name: 'USER', value: 'me' }]);
  });
});

describe('a model that a ModelServing serves', () => {
  test('gives the agent its name and address, and leave to reach its pods', () => {
    const spec = { image, model: serving() };
    expect(configOf(spec)).toEqual({
      MODEL_NAME: 'meta/llama',
      OPENAI_BASE_URL: 'http://llama.agents.svc:30000/v1',
    });
    expect(specOf('network-policy', spec)['egress']).toContainEqual({
      to: [{ podSelector: { matchLabels: serving().selector } }],
      ports: [{ protocol: 'TCP', port: 30_000 }],
    });
  });

  test('is a modelRef to the custom resource, and renders what the operator renders for that', () => {
    const model = serving();
    const byConstruct = construct({ image, model });
    const state = {
      model: { baseUrl: model.endpoint, name: model.servedName, port: model.port, selector: model.selector },
    };
    expect(byConstruct.spec.modelRef).toEqual({ name: 'llama' });
    expect(byConstruct.render()).toEqual(render({ image, modelRef: { name: 'llama' } }, state));
  });

  test('needs no key, but the clients of OpenAI need to show one, unless the user gives it', () => {
    const key = (spec: object) =>
      agentOf({ image, model: serving(), ...spec }).env?.filter(({ name }) => name === 'OPENAI_API_KEY');
    const valueFrom = { secretKeyRef: { name: 'gateway', key: 'token' } };
    expect(key({})).toEqual([{ name: 'OPENAI_API_KEY', value: 'EMPTY' }]);
    expect(key({ env: [{ name: 'OPENAI_API_KEY', value: 'mine' }] })).toEqual([
      { name: 'OPENAI_API_KEY', value: 'mine' },
    ]);
    expect(key({ credentials: [{ env: 'OPENAI_API_KEY', secretName: 'gateway', key: 'token' }] })).toEqual([
      { name: 'OPENAI_API_KEY', valueFrom },
    ]);
    const patch = { name: 'agent', env: [{ name: 'OPENAI_API_KEY', valueFrom }] };
    expect(key({ podTemplate: { spec: { containers: [patch] } } })).toEqual([{ name: 'OPENAI_API_KEY', valueFrom }]);
  });

  test('must be of the same namespace, as a custom resource would have it', () => {
    expect(() => construct({ image, model: serving({}, 'models') })).toThrow(
      /spec\.model: must be a ModelServing of the namespace agents: .*OPENAI_BASE_URL in env.*\(got "models\/llama"\)/,
    );
  });

  test('must not be given twice', () => {
    expect(() => construct({ image, model: serving(), modelRef: { name: 'llama' } })).toThrow(
      /spec\.modelRef: must be left out/,
    );
  });

  test('that nobody has found yet keeps pods from being started, and nothing else', () => {
    const spec = { image, modelRef: { name: 'llama' }, expose: { ingress: { host: 'a.example.com' } } };
    expect(idsOf(spec, {})).toEqual(['service-account', 'network-policy', 'service', 'ingress']);
    expect(idsOf(spec, resolved)).toContain('deployment');
    expect(() => construct(spec)).toThrow(/spec\.modelRef: is looked up by the operator/);
  });

  test('rolls the pods when it is served elsewhere', () => {
    const spec = { image, modelRef: { name: 'llama' } };
    const moved = { model: { ...resolved.model, baseUrl: 'http://llama.agents.svc:9000/v1' } };
    expect(annotationsOf(spec, moved)).not.toEqual(annotationsOf(spec, resolved));
  });
});

describe('replicas', () => {
  test('are left to the autoscaler of the user where the spec has none', () => {
    expect(specOf('deployment', minimal)).not.toHaveProperty('replicas');
    expect(childOf('deployment', minimal).unmanagedFields).toEqual(['spec.replicas']);
    expect(childOf('deployment', support).unmanagedFields).toEqual(['spec.replicas']);
  });

  test('are ours where the spec has them, 0 included', () => {
    expect(specOf('deployment', { ...minimal, replicas: 0 })['replicas']).toBe(0);
    expect(childOf('deployment', { ...minimal, replicas: 0 }).unmanagedFields).toEqual([]);
  });

  test('are protected by a budget where there may be more than one', () => {
    expect(idsOf(minimal)).toContain('disruption-budget');
    expect(idsOf(support)).toContain('disruption-budget');
    expect(idsOf({ ...minimal, replicas: 1 })).not.toContain('disruption-budget');
  });
});

describe('a run', () => {
  test('has as long to end as the spec says when its replica stops, once proxies have learnt of it', () => {
    const { template } = specOf('deployment', { ...minimal, drain: { timeoutSeconds: 900 } }) as {
      template: { spec: { terminationGracePeriodSeconds: number } };
    };
    expect(template.spec.terminationGracePeriodSeconds).toBe(930);
    expect(agentOf(minimal).lifecycle).toEqual({ preStop: { sleep: { seconds: 5 } } });
    expect(agentOf({ ...minimal, drain: { timeoutSeconds: 0 } }).lifecycle).toBeUndefined();
  });
});

describe('health', () => {
  test('is that the port accepts connections, unless a path is given', () => {
    expect(agentOf(minimal).readinessProbe).toMatchObject({ tcpSocket: { port: 'http' } });
    expect(agentOf({ ...minimal, healthPath: '/healthz' }).readinessProbe).toMatchObject({
      httpGet: { path: '/healthz', port: 'http' },
    });
  });
});

describe('names and labels', () => {
  test.each(Object.entries(SPECS))('all objects and pods of %s say what they are', (_, spec) => {
    for (const { manifest } of render(spec)) {
      const labels = {
        'app.kubernetes.io/name': 'agent-service',
        'app.kubernetes.io/instance': 'support-agent',
        'app.kubernetes.io/component': 'agent',
        'app.kubernetes.io/part-of': 'trunnion',
      };
      expect(manifest.metadata.labels).toEqual(labels);
      expect(manifest.metadata.namespace).toBe('agents');
      if (manifest.kind === 'Deployment') expect(templateOf(manifest).metadata.labels).toEqual(labels);
    }
  });

  test('url and selector are those of the Service', () => {
    const agent = construct(minimal);
    expect(agent.url).toBe('http://support-agent.agents.svc');
    expect(specOf('service', minimal)).toEqual({
      selector: agent.selector,
      ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }],
    });
  });
});
