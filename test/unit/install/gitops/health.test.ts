import { pausedStatus } from '../../../support/as-trunnion.ts';
import { TRUNNION } from '../../../../operator/trunnion.ts';
import { describe, expect, test } from 'vitest';
import { COMPAT_SCHEMAS } from '../../../../compat/kinds/index.ts';
import { statusInWords, waitingStatus } from '../../../../compat/kinds/status.ts';
import { translations } from '../../../../compat/kinds/translations.ts';
import { PHASES as AGENT_PHASES } from '../../../../constructs/agent-service/status.ts';
import { PHASES as TRAINING_PHASES } from '../../../../constructs/distributed-training/status.ts';
import { PHASES as SERVING_PHASES } from '../../../../constructs/model-serving/status.ts';
import { type BareStatus, type CommonStatus, type Resource } from '../../../../operator/engine/api/index.ts';
import { stalledStatus } from '../../../../operator/engine/reconcile/stalled.ts';
import { finishStatus } from '../../../../operator/engine/reconcile/status.ts';
import { KINDS } from '../../../../constructs/kinds.ts';
import { HEALTH_KINDS } from '../../../../stacks/operator/gitops/files.ts';
import { healthLua } from '../../../../stacks/operator/gitops/lua.ts';
import type { Health } from '../../../../stacks/operator/gitops/rules.ts';
import { START } from '../../kinds/model-serving/support.ts';
import { fluxStatus, kstatus, type FluxStatus } from './support/flux.ts';
import { runHealthLua } from './support/lua.ts';
import { SITUATIONS } from './support/situations.ts';

const FLUX: Readonly<Record<Health, FluxStatus>> = {
  Healthy: 'Current',
  Suspended: 'Current',
  Progressing: 'InProgress',
  Degraded: 'Failed',
};

const argo = (resource: Resource) => runHealthLua(healthLua(), resource);

/** Both, where they agree. */
function healthOf(resource: Resource): string {
  const { status } = argo(resource);
  const flux = fluxStatus(resource);
  return FLUX[status as Health] === flux ? status : `${status} for Argo CD, ${flux} for Flux`;
}

test('there is a situation of every phase of every kind', () => {
  const phases = (kind: string) => new Set(SITUATIONS.filter((one) => one.kind === kind).map(({ phase }) => phase));
  expect(phases('ModelServing')).toEqual(new Set(SERVING_PHASES));
  expect(phases('AgentService')).toEqual(new Set(AGENT_PHASES));
  expect(phases('DistributedTraining')).toEqual(new Set(TRAINING_PHASES));
});

describe.each(SITUATIONS)('$kind, $phase: $what', ({ phase, health, resource }) => {
  test('is in that phase', () => {
    expect(resource.status?.phase).toBe(phase);
  });

  test(`is ${health}`, () => {
    expect(healthOf(resource)).toBe(health);
  });

  test('says why in the words of a condition', () => {
    expect(resource.status?.conditions?.map(({ message }) => message)).toContain(argo(resource).message);
  });

  test('is Progressing once its spec has changed', () => {
    const { metadata } = resource;
    expect(healthOf({ ...resource, metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 } })).toBe(
      'Progressing',
    );
  });

  test('is Degraded while the operator makes no progress with it', () => {
    const stall = { reason: 'ReconcileError', message: 'TypeError.' } as const;
    expect(healthOf({ ...resource, status: stalledStatus(resource, stall, START) })).toBe('Degraded');
  });

  test('is Suspended while it is left alone, and Progressing until the operator looks again', () => {
    const { metadata } = resource;
    const paused = { ...resource, metadata: { ...metadata, annotations: { [TRUNNION.pausedAnnotation]: 'by hand' } } };
    expect(healthOf(paused)).toBe('Suspended');
    const reported = { ...paused, status: pausedStatus(paused, START) };
    expect([healthOf(reported), argo(reported).message]).toEqual(['Suspended', expect.stringContaining('"by hand"')]);
    expect(healthOf({ ...reported, metadata })).toBe('Progressing');
  });
});

test('a resource without a status is Progressing, and Unknown to Flux, which asks again', () => {
  const [{ resource } = { resource: undefined }] = SITUATIONS;
  if (!resource) throw new Error('there are no situations');
  const { status: _, ...bare } = resource;
  expect(argo(bare).status).toBe('Progressing');
  expect(argo({ ...bare, status: {} }).status).toBe('Progressing');
  expect(fluxStatus(bare)).toBe('Unknown');
  expect(fluxStatus({ ...bare, status: {} })).toBe('InProgress');
});

describe.each(translations.map((translation) => ({ translation, kind: translation.theirs.kind })))(
  'a status of ours in the words of the users of $kind',
  ({ translation }) => {
    const ours = SITUATIONS.filter(({ kind }) => kind === translation.ours.kind);

    /** As it is written. */
    function reported(resource: Resource, words: BareStatus<CommonStatus>): Resource {
      const theirs = { ...resource, kind: translation.theirs.kind };
      return { ...theirs, status: finishStatus(theirs, words, START) };
    }

    test.each(ours)('is $health where it is $phase: $what', ({ health, resource }) => {
      const { conditions = [], ...status } = resource.status ?? {};
      expect(healthOf(reported(resource, statusInWords(translation, resource, { status, conditions }, {})))).toBe(
        health,
      );
    });

    test('is Progressing while what it refers to is missing', () => {
      const [{ resource } = { resource: undefined }] = ours;
      if (!resource) throw new Error('there are no situations');
      const missing = { reason: 'ModelNotFound', message: 'There is no LLMModel a.', stuck: false };
      expect(healthOf(reported(resource, waitingStatus(translation, resource, missing)))).toBe('Progressing');
    });
  },
);

test('every kind whose status the operator writes has a health check', () => {
  const described = COMPAT_SCHEMAS.filter(({ kind }) => !translations.some(({ theirs }) => theirs.kind === kind));
  expect(described.map(({ kind }) => kind)).toEqual(['LLMModel']);
  expect(HEALTH_KINDS.map(({ kind }) => kind).toSorted()).toEqual(
    [...KINDS, ...translations.map(({ theirs }) => theirs)].map(({ kind }) => kind).toSorted(),
  );
});

test('without our expressions, Flux takes a training that failed for done: it has no condition Ready', () => {
  const failed = SITUATIONS.filter(({ kind, phase }) => kind === 'DistributedTraining' && phase === 'Failed');
  expect(failed.map(({ resource }) => [kstatus(resource), fluxStatus(resource)])).toContainEqual(['Current', 'Failed']);
});

test('without our expressions, Flux waits for a model that crashes until its time is over', () => {
  const failed = SITUATIONS.filter(({ kind, phase }) => kind === 'ModelServing' && phase === 'Failed');
  expect(failed.map(({ resource }) => [kstatus(resource), fluxStatus(resource)])).toContainEqual([
    'InProgress',
    'Failed',
  ]);
});

test('the Lua is of 5.1, and takes nothing but base functions', () => {
  const words = healthLua().replaceAll(/"[^"\n]*"/g, '""');
  expect(words).not.toMatch(/\/\/|<<|>>|[&|]|\bgoto\b|::/);
  const known = new Set(
    'and break do else elseif end false for function if in local nil not or repeat return then true until while'.split(
      ' ',
    ),
  );
  const names = new Set(words.match(/(?<![.\w])[a-z]\w*(?!\s*=[^=])(?!\w)/gi) ?? []);
  const locals = new Set(['found', 'condition', 'rules', 'rule', '_']);
  expect([...names].filter((name) => !known.has(name) && !locals.has(name)).toSorted()).toEqual([
    'ipairs',
    'next',
    'obj',
  ]);
});
