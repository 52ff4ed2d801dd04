import { describe, expect, test } from 'vitest';
import { SpecError } from '../../../../constructs/schema/error.ts';
import type { Resource } from '../../../../operator/engine/api/resource.ts';
import { reconciled, filed, fromFile, kindOf, rendered } from './support.ts';

const conditionIn = (status: object, type: string) =>
  (status as { readonly conditions?: readonly { readonly type: string }[] }).conditions?.find(
    (one) => one.type === type,
  );

const withSpec = (resource: Resource, spec: object): Resource => ({
  ...resource,
  spec: { ...(resource.spec as object), ...spec },
});

describe('a spec that can’t work', () => {
  test.each([
    ['modeldeployment.yaml', 'ModelDeployment/llama-3-8b', { modelSource: 'ftp://a' }, ['spec.modelSource']],
    ['modeldeployment.yaml', 'ModelDeployment/llama-3-8b', { modelSource: undefined }, ['spec.modelSource']],
    ['modeldeployment.yaml', 'ModelDeployment/llama-3-8b', { modelName: 'a b' }, ['spec.modelName']],
    ['mlmodel.yaml', 'MLModel/half-plus-two', { modelSource: 'nowhere' }, ['spec.modelSource']],
    ['aiagent.yaml', 'AIAgent/support-agent', { image: undefined, tools: ['a,b'] }, ['spec.image', 'spec.tools[0]']],
    ['llm.yaml', 'LLMDeployment/chat-service', { port: 99_999 }, ['spec.port']],
    [
      'mltrainingjob.yaml',
      'MLTrainingJob/pytorch-distributed-training',
      { image: undefined, checkpointPath: 's3://NO' },
      ['spec.image', 'spec.checkpointPath'],
    ],
  ])('of %s, %s: %j is reported by the paths that its user wrote', (file, id, spec, paths) => {
    const attempt = () => reconciled(withSpec(fromFile(file, id), spec), { related: filed(file) });
    let problems: readonly string[] = [];
    try {
      attempt();
    } catch (error) {
      problems = error instanceof SpecError ? error.problems.map(({ path }) => path) : [];
    }
    expect([...new Set(problems)].toSorted()).toEqual(paths.toSorted());
    expect(attempt).toThrow(id.slice(0, id.indexOf('/')));
  });
});

describe('a field that is unknown', () => {
  test('is told to have no effect', () => {
    const resource = fromFile('aiagent.yaml', 'AIAgent/support-agent');
    const { status } = reconciled(withSpec(resource, { memory: 'long', autoscaling: { enabled: true, speed: 1 } }));
    expect(conditionIn(status, 'Accepted')).toMatchObject({
      status: 'True',
      message: 'The spec is valid. It has fields of no effect: spec.autoscaling.speed, spec.memory.',
    });
  });
});

describe('an LLMDeployment', () => {
  const deployment = fromFile('llm.yaml', 'LLMDeployment/chat-service');
  const related = filed('llm.yaml');

  test('waits for its LLMModel, whichever is applied first, and starts no pod until then', () => {
    const { status, release } = reconciled(deployment);
    expect(status).toMatchObject({ phase: 'Pending', readyReplicas: 0 });
    expect(conditionIn(status, 'ResolvedRefs')).toMatchObject({ status: 'False', reason: 'ModelNotFound' });
    expect(rendered(deployment)).toEqual([]);
    expect(release).toBe(true);
  });

  test('is woken by its LLMModel', () => {
    const kind = kindOf(deployment);
    expect(kind.references?.(deployment)).toEqual(['LLMModel/gpt-small']);
    expect(kind.refersTo).toMatchObject([{ group: 'llm.example.com', kind: 'LLMModel', optional: true }]);
  });

  test('continues as it was when its LLMModel is gone, and says so', () => {
    const before = rendered(deployment, { related });
    const { status } = reconciled(deployment, { related });
    const orphan = { ...deployment, status };
    expect(rendered(orphan)).toEqual(before);
    expect(conditionIn(reconciled(orphan).status, 'ResolvedRefs')).toMatchObject({
      reason: 'ModelNotFound',
      message: expect.stringContaining('The pods continue with it as it was.'),
    });
  });

  test('forgets an LLMModel that it refers to no more', () => {
    const { status } = reconciled(deployment, { related });
    expect(rendered({ ...withSpec(deployment, { modelRef: 'another' }), status })).toEqual([]);
  });
});

test('only an MLTrainingJob, whose pods are told their roles, takes the right to change pods', () => {
  const permissions = ['mltrainingjob.yaml', 'aiagent.yaml', 'llm.yaml', 'mlmodel.yaml', 'modeldeployment.yaml'].map(
    (file) =>
      Object.values(filed(file))
        .filter(({ kind }) => kind !== 'LLMModel')
        .map((resource) => kindOf(resource).permissions?.includes('mark-pods') ?? false),
  );
  expect(permissions).toEqual([[true, true], [false], [false], [false], [false]]);
});
