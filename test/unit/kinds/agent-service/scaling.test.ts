import { describe, expect, it, test } from 'vitest';
import {
  byCpu,
  byQueue,
  decide,
  minimal,
  reporting,
  resourceOf,
  running,
  conditionOf,
  messageOf,
  START,
} from './support.ts';

const hpa = (conditions: Readonly<Record<string, string>>) => reporting('HorizontalPodAutoscaler', conditions);
const scaledObject = (conditions: Readonly<Record<string, string>>) => reporting('ScaledObject', conditions);
const served = (is: boolean) => ({
  'served/ScaledObject.v1alpha1': { at: START, type: 'served', served: is } as const,
});

describe('what the autoscaler says', () => {
  test.each([
    ['Unknown NotReported', byCpu, []],
    ['Unknown NotReported', byCpu, [hpa({})]],
    ['True ScalingActiveReason', byCpu, [hpa({ AbleToScale: 'True', ScalingActive: 'True', ScalingLimited: 'True' })]],
    ['False ScalingActiveReason', byCpu, [hpa({ AbleToScale: 'True', ScalingActive: 'False' })]],
    ['False AbleToScaleReason', byCpu, [hpa({ AbleToScale: 'False' })]],
    // What another kind of autoscaler left behind says nothing.
    ['Unknown NotReported', byQueue, [hpa({ ScalingActive: 'True' })]],
    ['True ReadyReason', byQueue, [scaledObject({ Ready: 'True', Active: 'False', Fallback: 'False' })]],
    ['False ReadyReason', byQueue, [scaledObject({ Ready: 'False' })]],
    ['False FallbackReason', byQueue, [scaledObject({ Ready: 'True', Fallback: 'True' })]],
    ['False PausedReason', byQueue, [scaledObject({ Ready: 'True', Paused: 'True' })]],
    ['False HPAActiveReason', byQueue, [scaledObject({ Ready: 'True', HPAActive: 'False' })]],
  ])('is told as %s', (says, spec, autoscalers) => {
    const { status } = decide({ resource: resourceOf(spec), children: [...running(), ...autoscalers] });
    expect(conditionOf(status, 'ScalingActive')).toBe(says);
  });

  it('is reported in its own words', () => {
    const { status } = decide({
      resource: resourceOf(byCpu),
      children: [...running(), hpa({ ScalingActive: 'False' })],
    });
    expect(messageOf(status, 'ScalingActive')).toBe('The autoscaler says: words about ScalingActive.');
  });

  it('keeps an agent that it cannot scale from being ready', () => {
    const { status } = decide({
      resource: resourceOf(byCpu),
      children: [...running(), hpa({ ScalingActive: 'False' })],
    });
    expect(conditionOf(status, 'Ready')).toBe('False ScalingActiveReason');
    expect(conditionOf(status, 'Available')).toBe('True Available');
  });

  it('is nothing where there is none', () => {
    expect(
      conditionOf(decide({ resource: resourceOf(minimal), children: running() }).status, 'ScalingActive'),
    ).toBeUndefined();
  });
});

describe('without KEDA', () => {
  const { queries, status } = decide({ resource: resourceOf(byQueue), children: running(), answers: served(false) });

  it('an agent that a queue scales runs on, and says what is missing', () => {
    expect(status.phase).toBe('Running');
    expect(conditionOf(status, 'Available')).toBe('True Available');
    expect(conditionOf(status, 'ScalingActive')).toBe('False KedaNotInstalled');
    expect(conditionOf(status, 'Ready')).toBe('False KedaNotInstalled');
  });

  it('is still told by an operator that starts again and has not looked yet', () => {
    const resource = resourceOf(byQueue, { status });
    expect(decide({ resource, children: running() }).status).toEqual(status);
    const found = decide({ resource, children: running(), answers: served(true) });
    expect(conditionOf(found.status, 'ScalingActive')).toBe('Unknown NotReported');
    expect(conditionOf(found.status, 'Ready')).toBe('True Ready');
  });

  it('is asked for by those that need it', () => {
    expect(queries).toContainEqual(expect.objectContaining({ id: 'served/ScaledObject.v1alpha1', type: 'served' }));
    expect(decide({ resource: resourceOf(byCpu) }).queries).not.toContainEqual(
      expect.objectContaining({ type: 'served' }),
    );
  });

  it('what it would serve is no trouble of its own', () => {
    const problems = ['autoscaler', 'trigger-authentication'].map((child) => ({
      child,
      reason: 'NotServed',
      message: 'the server could not find the requested resource',
    }));
    const seen = decide({ resource: resourceOf(byQueue), children: running(), answers: served(false), problems });
    expect(messageOf(seen.status, 'Ready')).toBe(messageOf(status, 'Ready'));
  });
});

it('an empty queue stops an agent that may have no replicas', () => {
  const children = [...running({ desired: 0 }), scaledObject({ Ready: 'True', Active: 'False' })];
  expect(decide({ resource: resourceOf(byQueue), children, answers: served(true) }).status.phase).toBe('Stopped');
});
