import { describe, expect, test } from 'vitest';
import { ruleProblems } from '../../../../constructs/schema/cel.ts';
import { withDefaults } from '../../../../constructs/schema/defaults.ts';
import type { Json } from '../../../../constructs/schema/json.ts';
import { structureProblems } from '../../../../constructs/schema/structure.ts';
import { COMPAT_SCHEMAS } from '../../../../compat/kinds/schemas.ts';
import { fromFile } from './support.ts';

/** What the CRD of a kind says against a resource of a file, where `change` is merged into its spec. */
function problemsOf(file: string, id: string, change: object): readonly string[] {
  const resource = fromFile(file, id);
  const schema = COMPAT_SCHEMAS.find(({ kind }) => kind === resource.kind)?.schema() ?? {};
  const spec = JSON.parse(JSON.stringify({ ...(resource.spec as object), ...change })) as Json;
  const value = withDefaults(schema, { metadata: { name: resource.metadata.name }, spec });
  const structure = structureProblems(schema, value, '');
  const rules = ruleProblems({ schema, value, old: undefined, path: '' }, structure.length === 0);
  return [...structure, ...rules].map(({ path, message }) => `${path}: ${message}`);
}

const queue = { type: 'redis', address: 'redis.agents.svc:6379', list: 'tasks' };
const AGENT = ['aiagent.yaml', 'AIAgent/support-agent'] as const;
const MODEL = ['full/llm.yaml', 'LLMModel/gpt-large'] as const;
const CHAT = ['full/llm.yaml', 'LLMDeployment/chat-large'] as const;
const JOB = ['full/mltrainingjob.yaml', 'MLTrainingJob/elastic-training'] as const;
const SCALED = { maxReplicas: 4, targets: { ttftMilliseconds: 500 } };

describe('a field that the earlier operator did not have is refused when it is applied, by its own path:', () => {
  test.each([
    [AGENT, { autoscaling: { enabled: true, targets: { queueDepth: 5 } } }, 'spec.autoscaling.queue: is required'],
    [AGENT, { autoscaling: { enabled: true, queue } }, 'spec.autoscaling.targets.queueDepth: is required'],
    [
      AGENT,
      { autoscaling: { targets: { queueDepth: 5 }, queue: { type: 'redis' } } },
      'spec.autoscaling.queue.address: is required where queue.type is redis',
    ],
    [AGENT, { autoscaling: { targets: {} } }, 'spec.autoscaling.targets: must have at least one of'],
    [AGENT, { expose: {} }, 'spec.expose: exactly one of ingress and gateway'],
    [AGENT, { expose: { ingress: { host: 'https://a' } } }, 'spec.expose.ingress.host: must be a host name'],
    [AGENT, { resources: { cpu: 'many' } }, 'spec.resources.cpu: must be'],
    [MODEL, { modelSource: 'ftp://a' }, 'spec.modelSource: must begin with one of'],
    [MODEL, { modelSource: undefined }, 'spec.modelSource: is required where engine.type is another than custom'],
    [MODEL, { modelSource: 'pvc://a/b' }, 'spec.storage: is for weights that are fetched'],
    [MODEL, { modelSource: 'pvc://a/b' }, 'spec.credentials: are for weights that are fetched'],
    [
      MODEL,
      { storage: { accessMode: 'ReadOnlyMany' } },
      'spec.storage.accessMode: must be ReadWriteOnce or ReadWriteMany',
    ],
    [MODEL, { engine: { type: 'vllm', args: ['--port=1'] } }, 'spec.engine.args: must have none of'],
    [MODEL, { engine: { type: 'vllm', command: ['a'] } }, 'spec.engine.command: is for engine.type custom only'],
    [MODEL, { engine: { type: 'custom', ipFamily: 'IPv6' } }, 'spec.engine.ipFamily: must be left out where'],
    [MODEL, { resources: { gpuProduct: 'NVIDIA-L4' } }, 'spec.resources.gpuProduct: selects a GPU'],
    [CHAT, { autoscaling: SCALED }, 'spec.autoscaling.prometheus: is required by all targets but cpuPercent'],
    [CHAT, { autoscaling: { ...SCALED, minReplicas: 5 } }, 'spec.autoscaling.minReplicas: must not be greater'],
    [CHAT, { security: { level: 'privileged' } }, 'spec.security.level: supported values'],
    [CHAT, { egress: [{ cidr: 'somewhere' }] }, 'spec.egress[0].cidr: must be a range of IP addresses'],
    [JOB, { replicas: 9 }, 'spec.replicas: must be from elastic.minReplicas to elastic.maxReplicas'],
    [JOB, { framework: 'tensorflow' }, 'spec.elastic: is for framework pytorch only'],
    [JOB, { elastic: { minReplicas: 5, maxReplicas: 4 } }, 'spec.elastic.minReplicas: must not be greater'],
    [JOB, { gang: { scheduler: 'kueue' } }, 'spec.queue: is required by gang.scheduler kueue'],
    [JOB, { tolerations: [{ value: 'a' }] }, 'spec.tolerations[0]: a toleration without a key'],
  ])('%s with %j', ([file, id], change, problem) => {
    expect(problemsOf(file, id, change)).toContainEqual(expect.stringContaining(problem));
  });
});

describe('what was valid stays so:', () => {
  test.each([
    [AGENT, { autoscaling: { enabled: true, minReplicas: 0, maxReplicas: 4 } }],
    [AGENT, { memory: 'long', autoscaling: { enabled: true, speed: 1 } }],
    [['llm.yaml', 'LLMModel/gpt-small'], { license: 'mit' }],
    [['llm.yaml', 'LLMDeployment/chat-service'], { owner: 'a' }],
    [['mltrainingjob.yaml', 'MLTrainingJob/pytorch-distributed-training'], { framework: undefined }],
    [['modeldeployment.yaml', 'ModelDeployment/llama-3-8b'], { modelSource: undefined }],
  ] as const)('%s with %j', ([file, id], change) => {
    expect(problemsOf(file, id, change)).toEqual([]);
  });

  test.each([AGENT, MODEL, CHAT, JOB])('%s, %s is valid', (file, id) => {
    expect(problemsOf(file, id, {})).toEqual([]);
  });
});
