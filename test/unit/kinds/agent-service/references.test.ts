import { describe, expect, it } from 'vitest';
import type { AgentServiceSpec } from '../../../../constructs/agent-service/spec.ts';
import type { AgentServiceStatus } from '../../../../constructs/agent-service/status.ts';
import type { Answer } from '../../../../operator/engine/api/queries.ts';
import { NO_SECRET, secret } from '../model-serving/support.ts';
import {
  byQueue,
  decide,
  minimal,
  resourceOf,
  running,
  runningStatus,
  conditionOf,
  messageOf,
  START,
} from './support.ts';

const spec: AgentServiceSpec = {
  ...minimal,
  credentials: [
    { env: 'OPENAI_API_KEY', secretName: 'openai', key: 'api-key' },
    { env: 'OPENAI_ORG', secretName: 'openai', key: 'org' },
  ],
};
const id = 'openai/api-key,org';
const answers = (hash: string) => ({ [`secret/${id}`]: secret(hash) });

const known = (references: object, hash?: string) =>
  decide({
    resource: resourceOf(spec, {
      status: { ...runningStatus(spec), references: { [id]: { baseline: 'one', ...references } } },
    }),
    children: running(),
    ...(hash !== undefined && { answers: answers(hash) }),
  });

describe('a Secret that the agent reads', () => {
  it('is asked for by name and keys, and rolls nothing at first sight', () => {
    const { queries, state, status } = decide({
      resource: resourceOf(spec),
      children: running(),
      answers: answers('one'),
    });
    expect(queries).toContainEqual({
      id: `secret/${id}`,
      type: 'secret',
      name: 'openai',
      keys: ['api-key', 'org'],
      everySeconds: 60,
    });
    expect(status.references).toEqual({ [id]: { baseline: 'one' } });
    expect(state.referencesHash).toBeUndefined();
  });

  it('rolls the pods when it has changed, once that is recorded', () => {
    const seen = known({}, 'two');
    expect(seen.status.references).toEqual({ [id]: { baseline: 'one', current: 'two' } });
    expect(seen.state.referencesHash).toBeUndefined();
    expect(seen.requeueAt).toBe(START + 1000);
    expect(known({ current: 'two' }, 'two').state.referencesHash).toMatch(/^[0-9a-f]{10}$/);
  });

  it('or one of its keys that is not there is reported', () => {
    const without = (answer: typeof NO_SECRET) =>
      decide({ resource: resourceOf(spec), children: running(), answers: { [`secret/${id}`]: answer } }).status;
    expect(conditionOf(without(NO_SECRET), 'ResolvedRefs')).toBe('False ReferenceMissing');
    expect(messageOf(without(secret('one', ['org'])), 'ResolvedRefs')).toContain(
      'Secret openai has no key org, which credentials refers to',
    );
  });
});

it('that a Secret is missing is still told by an operator that starts again and has not looked yet', () => {
  const absent = { [`secret/${id}`]: NO_SECRET };
  const { status } = decide({ resource: resourceOf(spec), children: running(), answers: absent });
  const again = decide({ resource: resourceOf(spec, { status }), children: running() });
  expect(again.status).toEqual(status);
  const found = decide({ resource: resourceOf(spec, { status }), children: running(), answers: answers('one') });
  expect(conditionOf(found.status, 'ResolvedRefs')).toBe('True Resolved');
});

describe('what else is read when a pod starts', () => {
  const from = (name: string) => ({ name, key: 'a' });
  const reading: AgentServiceSpec = {
    ...minimal,
    env: [{ name: 'PROMPT', valueFrom: { configMapKeyRef: from('prompts') } }],
    podTemplate: {
      spec: {
        containers: [
          { name: 'agent', env: [{ name: 'A', valueFrom: { secretKeyRef: from('extra') } }] },
          { name: 'proxy', envFrom: [{ secretRef: { name: 'proxy' } }, { configMapRef: { name: 'proxy' } }] },
        ],
        initContainers: [{ name: 'init', envFrom: [{ secretRef: { name: 'init' } }] }],
      },
    },
  };
  const ids = [
    ['configMap', 'prompts/a', 'configMap:prompts/a'],
    ['secret', 'extra/a', 'extra/a'],
    ['secret', 'proxy', 'proxy'],
    ['configMap', 'proxy', 'configMap:proxy'],
    ['secret', 'init', 'init'],
  ] as const;
  const answered = Object.fromEntries(ids.map(([type, of]) => [`${type}/${of}`, { ...secret('one'), type } as Answer]));

  it('is looked at, ConfigMaps and what podTemplate makes variables of included', () => {
    const { queries, status } = decide({ resource: resourceOf(reading), children: running(), answers: answered });
    expect(queries.map((query) => query.id)).toEqual(expect.arrayContaining(ids.map(([type, of]) => `${type}/${of}`)));
    expect(status.references).toEqual(Object.fromEntries(ids.map(([, , key]) => [key, { baseline: 'one' }])));
  });

  it.each(ids)('rolls the pods when it has changed: %s %s', (_type, _id, key) => {
    const references = Object.fromEntries(ids.map(([, , other]) => [other, { baseline: 'one' }]));
    const hashWith = (known: AgentServiceStatus['references'] = {}) =>
      decide({
        resource: resourceOf(reading, { status: { ...runningStatus(reading), references: known } }),
        children: running(),
      }).state.referencesHash;
    expect(hashWith(references)).toBeUndefined();
    expect(hashWith({ ...references, [key]: { baseline: 'one', current: 'two' } })).toBeDefined();
  });

  it('is missed by the field that refers to it', () => {
    const answers = { 'configMap/prompts/a': { ...NO_SECRET, type: 'configMap' } as Answer };
    const { status } = decide({ resource: resourceOf(reading), children: running(), answers });
    expect(messageOf(status, 'ResolvedRefs')).toContain('There is no ConfigMap prompts, which env refers to');
  });
});

describe("a queue's Secret", () => {
  const query = 'secret/redis/password';

  it('is missed where it is not there, and restarts no pod when it changes, since KEDA reads it', () => {
    const absent = decide({ resource: resourceOf(byQueue), children: running(), answers: { [query]: NO_SECRET } });
    expect(messageOf(absent.status, 'ResolvedRefs')).toContain(
      'There is no Secret redis, which autoscaling.queue.credentials refers to',
    );
    const references = { 'redis/password': { baseline: 'one', current: 'two' } };
    const changed = resourceOf(byQueue, { status: { ...runningStatus(byQueue), references } });
    expect(decide({ resource: changed, children: running() }).state.referencesHash).toBeUndefined();
  });
});
