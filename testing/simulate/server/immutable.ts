import { isDeepStrictEqual } from 'node:util';
import { isObject, objectIn } from '../../../constructs/schema/json.ts';
import { groupKind } from '../../../operator/engine/api/index.ts';
import { ApiError } from '../../../operator/kube/index.ts';
import type { KubeObject } from '../../../operator/kube/index.ts';

/** Fields of a spec that stay as they are once there is an object, by type. From the validation of Kubernetes v1.36.3. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  'apps/DaemonSet': ['selector'],
  'apps/Deployment': ['selector'],
  'apps/ReplicaSet': ['selector'],
  'batch/Job': [
    'backoffLimitPerIndex',
    'completionMode',
    'managedBy',
    'podFailurePolicy',
    'selector',
    'successPolicy',
    'template',
  ],
};

/** Fields of a spec that alone may change, by type. */
const CHANGEABLE: Readonly<Record<string, readonly string[]>> = {
  '/PersistentVolumeClaim': ['resources', 'volumeName', 'volumeAttributesClassName'],
  'apps/StatefulSet': [
    'minReadySeconds',
    'ordinals',
    'persistentVolumeClaimRetentionPolicy',
    'replicas',
    'revisionHistoryLimit',
    'template',
    'updateStrategy',
  ],
};

/**
 * Checks a change as the API server does.
 *
 * @throws ApiError 422 where it changes what can't be changed
 */
export function checkChange(live: KubeObject, next: KubeObject): void {
  const type = groupKind(live);
  const [before, after] = [objectIn(live['spec']), objectIn(next['spec'])];
  const differs = (name: string): boolean =>
    !isDeepStrictEqual(plain(before[name]), plain(after[name])) && !isAssigned(type, name, before);
  const fixed = fixedFields(type, before).find(differs);
  if (fixed !== undefined) throw refusal(live, `spec.${fixed}: Invalid value: field is immutable`);
  const changeable = CHANGEABLE[type];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  if (changeable !== undefined && [...names].some((name) => !changeable.includes(name) && differs(name))) {
    const rest = changeable.map((name) => `'${name}'`).join(', ');
    throw refusal(live, `spec: Forbidden: spec is immutable after creation: fields other than ${rest}`);
  }
  const isData = type === '/ConfigMap' || type === '/Secret';
  if (isData && live['immutable'] === true && !isDeepStrictEqual(live['data'], next['data'])) {
    throw refusal(live, 'data: Forbidden: field is immutable when `immutable` is set');
  }
}

/** The class of a claim that names none is assigned once the cluster has a default. */
const isAssigned = (type: string, name: string, before: Readonly<Record<string, unknown>>): boolean =>
  type === '/PersistentVolumeClaim' && name === 'storageClassName' && before[name] === undefined;

/** The number of completions of an indexed Job may change, with its parallelism. */
const fixedFields = (type: string, spec: Readonly<Record<string, unknown>>): readonly string[] =>
  type === 'batch/Job' && spec['completionMode'] !== 'Indexed'
    ? [...(FIXED[type] ?? []), 'completions']
    : (FIXED[type] ?? []);

/** Without what is empty, which the server leaves out. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(plain);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const left = plain(field);
    return left === undefined ? [] : [[name, left] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** What the API server says of an object that it does not take. */
export const refusal = ({ kind, metadata: { name } }: KubeObject, problem: string): ApiError =>
  new ApiError(422, { reason: 'Invalid', message: `${kind} "${name}" is invalid: ${problem}` });
