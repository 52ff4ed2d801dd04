import { Environment } from '@marcbachmann/cel-js';
import type { Resource } from '../../../../../operator/engine/api/index.ts';
import { conditionOf } from '../../../../../operator/engine/api/index.ts';
import { healthExpressions } from '../../../../../stacks/operator/gitops/cel.ts';

/** What Flux says of a resource. */
export type FluxStatus = 'InProgress' | 'Failed' | 'Current' | 'Unknown' | 'Terminating';

const environment = new Environment().registerVariable('metadata', 'map').registerVariable('status', 'map');
const { current, failed } = healthExpressions();
const parsed = { current: environment.parse(current), failed: environment.parse(failed) };

/** As `Evaluate` of runtime/cel/status_evaluator.go of github.com/fluxcd/pkg 0.122 does, with `healthCheckExprs`. */
export function fluxStatus({ metadata, status }: Resource): FluxStatus {
  const observed = status?.observedGeneration;
  if (observed !== undefined && observed !== metadata.generation) return 'InProgress';
  if (status === undefined) return 'Unknown';
  const context = JSON.parse(JSON.stringify({ metadata, status })) as Record<string, unknown>;
  if (parsed.failed(context) === true) return 'Failed';
  return parsed.current(context) === true ? 'Current' : 'InProgress';
}

/**
 * What Flux says by kstatus alone, without `healthCheckExprs`: pkg/kstatus/status/generic.go and status.go of
 * github.com/fluxcd/cli-utils 1.4.
 */
export function kstatus({ metadata, status }: Resource): FluxStatus {
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  const observed = status?.observedGeneration;
  if (observed !== undefined && observed !== metadata.generation) return 'InProgress';
  const is = (type: string) => conditionOf(status?.conditions, type)?.status;
  if (is('Reconciling') === 'True') return 'InProgress';
  if (is('Stalled') === 'True') return 'Failed';
  const ready = is('Ready');
  return ready === undefined || ready === 'True' ? 'Current' : 'InProgress';
}
