import { describe, expect, it } from 'vitest';
import type { ModelServingSpec } from '../../../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../../../constructs/model-serving/status.ts';
import {
  NO_SECRET,
  START,
  decide,
  resourceOf,
  runningChildren,
  runningStatus,
  conditionOf,
  secret,
  messageOf,
  server,
  shared,
  single,
} from './support.ts';

const reads = (name: string, key: string, optional = false) => ({
  name: `${name}_${key}`.toUpperCase(),
  valueFrom: { secretKeyRef: { name, key, ...(optional && { optional }) } },
});

const spec: ModelServingSpec = { ...shared, env: [reads('api', 'token'), reads('api', 'user', true)] };
const id = 'api/token,user';
const query = `secret/${id}`;

const running = (references: ModelServingStatus['references'], hash?: string, of = spec, answer = query) =>
  decide({
    resource: resourceOf(of, { status: { ...runningStatus(of), ...(references && { references }) } }),
    children: runningChildren(of),
    pods: [server(of)],
    ...(hash !== undefined && { answers: { [answer]: secret(hash) } }),
  });

describe('a Secret that pods read', () => {
  it('is asked for by name and keys, once a minute', () => {
    expect(running(undefined).queries).toContainEqual({
      id: query,
      type: 'secret',
      name: 'api',
      keys: ['token', 'user'],
      everySeconds: 60,
    });
  });

  it('is recorded at first sight, and rolls nothing', () => {
    const { state, status } = running(undefined, 'one');
    expect(status.references).toEqual({ [id]: { baseline: 'one' } });
    expect(state.referencesHash).toBeUndefined();
  });

  it('is recorded when it changes, and rolls the pods once that is acknowledged', () => {
    const seen = running({ [id]: { baseline: 'one' } }, 'two');
    expect(seen.status.references).toEqual({ [id]: { baseline: 'one', current: 'two' } });
    expect(seen.state.referencesHash).toBeUndefined();
    expect(seen.requeueAt).toBe(START + 1000);
    const recorded = running({ [id]: { baseline: 'one', current: 'two' } }, 'two');
    expect(recorded.state.referencesHash).toMatch(/^[0-9a-f]{10}$/);
    expect(recorded.requeueAt).toBeUndefined();
  });

  it('does not roll back while a new operator has not looked yet', () => {
    const known = { [id]: { baseline: 'one', current: 'two' } };
    expect(running(known).state.referencesHash).toBe(running(known, 'two').state.referencesHash);
    expect(running(known).status.references).toEqual(known);
  });

  it('gives the template that was there before, when its content is changed back', () => {
    const { status } = running({ [id]: { baseline: 'one', current: 'two' } }, 'one');
    expect(status.references).toEqual({ [id]: { baseline: 'one' } });
    expect(running(status.references, 'one').state.referencesHash).toBeUndefined();
  });

  it('has a new baseline where other keys are read, since the spec has rolled the pods already', () => {
    const wider = { ...spec, env: [...(spec.env ?? []), reads('api', 'url')] };
    const { state, status } = running(
      { [id]: { baseline: 'one', current: 'two' } },
      'three',
      wider,
      'secret/api/token,url,user',
    );
    expect(state.referencesHash).toBeUndefined();
    expect(status.references).toEqual({ 'api/token,url,user': { baseline: 'three' } });
  });

  it.each([
    ['is not there', NO_SECRET, /no Secret api/],
    ['lacks a key', secret('one', ['token', 'user']), /no key token,/],
  ])('that %s is reported', (_, answer, words) => {
    const observed = {
      resource: resourceOf(spec),
      children: runningChildren(spec),
      pods: [server(spec)],
      answers: { [query]: answer },
    };
    const { status } = decide(observed);
    expect(status.phase).toBe('Running');
    expect(conditionOf(status, 'Ready')).toBe('False ReferenceMissing');
    expect(messageOf(status, 'Ready')).toMatch(words);

    const again = { ...observed, resource: resourceOf(spec, { status }) };
    expect(decide({ ...again, answers: {} }).status, 'an operator that has not looked yet').toEqual(status);
    expect(conditionOf(decide({ ...again, answers: { [query]: secret('one') } }).status, 'Ready')).toBe('True Ready');
    const changed = resourceOf(spec, { status, generation: 2 });
    expect(conditionOf(decide({ ...again, resource: changed, answers: {} }).status, 'Ready')).toBe('True Ready');
  });

  it('may lack a key that is optional', () => {
    const observed = { resource: resourceOf(spec), children: runningChildren(spec), pods: [server(spec)] };
    expect(conditionOf(decide({ ...observed, answers: { [query]: secret('one', ['user']) } }).status, 'Ready')).toBe(
      'True Ready',
    );
  });
});

it('a ConfigMap that podTemplate makes variables of rolls the pods as well', () => {
  const of: ModelServingSpec = {
    ...shared,
    podTemplate: { spec: { containers: [{ name: 'server', envFrom: [{ configMapRef: { name: 'tuning' } }] }] } },
  };
  const answer = { at: START, type: 'configMap', exists: true, hash: 'two', missingKeys: [] } as const;
  const seen = (references: NonNullable<ModelServingStatus['references']>) =>
    decide({
      resource: resourceOf(of, { status: { ...runningStatus(of), references } }),
      children: runningChildren(of),
      pods: [server(of)],
      answers: { 'configMap/tuning': answer },
    });
  const changed = { 'configMap:tuning': { baseline: 'one', current: 'two' } };
  expect(seen({ 'configMap:tuning': { baseline: 'one' } }).status.references).toEqual(changed);
  expect(seen(changed).state.referencesHash).toMatch(/^[0-9a-f]{10}$/);
});

describe('the credentials of the fetch', () => {
  const changed = { hf: { baseline: 'one', current: 'two' } };
  const guarded = (of: ModelServingSpec) => ({ ...of, model: { ...of.model, credentials: { secretName: 'hf' } } });

  it('roll the pods where these fetch by themselves', () => {
    expect(running(changed, 'two', guarded(single), 'secret/hf').state.referencesHash).toBeDefined();
  });

  it('roll nothing where a Job fetches', () => {
    expect(running(changed, 'two', guarded(shared), 'secret/hf').state.referencesHash).toBeUndefined();
  });
});
