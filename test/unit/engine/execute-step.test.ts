import { TRUNNION } from '../../../operator/trunnion.ts';
import { describe, expect, it } from 'vitest';
import type { Rejection } from '../../../operator/engine/api/failures.ts';
import { stepForTakenName } from '../../../operator/engine/reconcile/name-taken.ts';
import type { IfImmutable, Step } from '../../../operator/engine/plan/plan.ts';
import { afterRejection } from '../../../operator/engine/reconcile/step-result.ts';
import type { KubeObject, OwnerReference } from '../../../operator/kube/client/types.ts';
import type { Widget } from '../../support/widget.ts';
import { desiredOf, liveOf, OWNER, ownerless } from './plan-world.ts';

const child = desiredOf('config', 'ConfigMap');
const live = liveOf({ kind: 'ConfigMap', name: 'config' });
const failure = { child: 'config', reason: 'Invalid', message: 'field is immutable' };

const apply = (ifImmutable: IfImmutable): Step => ({ action: 'apply', child, live, handOver: [], ifImmutable });

describe('a rejected step', () => {
  const immutable: Rejection = { type: 'immutable', failure };
  const refused = { rejection: { type: 'refused', failure } };

  it.each<readonly [string, Step, Rejection, object]>([
    [
      'is not carried out where the cache is behind',
      apply('replace'),
      { type: 'stale' },
      { rejection: { type: 'stale' } },
    ],
    ['fails where the API server refuses it', apply('replace'), { type: 'refused', failure }, refused],
    [
      'fails where the API server is away',
      apply('leave'),
      { type: 'away', failure },
      { rejection: { type: 'away', failure } },
    ],
    ['fails where an immutable object is to be reported', apply('report'), immutable, refused],
    ['is done where an immutable object is to be left', apply('leave'), immutable, {}],
    ['replaces an immutable object', apply('replace'), immutable, { instead: { action: 'replace', child, live } }],
    ['fails where it is a create of an immutable object', { action: 'create', child }, immutable, refused],
    ['fails where it is a delete of an immutable object', { action: 'delete', live }, immutable, refused],
  ])('%s', (_, step, rejection, expected) => {
    expect(afterRejection(step, rejection)).toEqual(expected);
  });
});

describe('a create whose name is taken', () => {
  const owner = {
    apiVersion: 'test.trunnion.dev/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'ns', uid: OWNER, resourceVersion: '1', creationTimestamp: '' },
  } as Widget;
  const controlledBy = (controller?: Partial<OwnerReference>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'config',
      namespace: 'ns',
      uid: live.uid,
      resourceVersion: '7',
      creationTimestamp: '',
      ...(controller !== undefined && {
        ownerReferences: [
          { apiVersion: owner.apiVersion, kind: 'Widget', name: 'w', uid: OWNER, controller: true, ...controller },
        ],
      }),
    },
  });
  const ours = { object: controlledBy({}), live, isLabelled: true, owner, identity: TRUNNION };
  const stale = { rejection: { type: 'stale' } };
  const taken = (message: string) => ({
    rejection: {
      type: 'refused',
      failure: { child: 'config', reason: 'NameTaken', message: expect.stringContaining(message) },
    },
  });

  it.each([
    ['has nothing to do where the object is ours and as wanted', ours, 'none'],
    [
      'applies where the object is ours and has drifted',
      { ...ours, live: { ...live, digest: 'drifted' } },
      {
        instead: { action: 'apply', child, live: { ...live, digest: 'drifted' }, handOver: [], ifImmutable: 'report' },
      },
    ],
    ['waits where the object is ours and is being deleted', { ...ours, live: { ...live, deleting: true } }, stale],
    [
      'waits for the garbage collector where the object is of an earlier resource of this name',
      { ...ours, object: controlledBy({ uid: 'earlier' }) },
      stale,
    ],
    [
      'fails where something else controls the object',
      { ...ours, object: controlledBy({ kind: 'Gadget', uid: 'other' }) },
      taken('belongs to'),
    ],
    [
      'fails where nothing controls the object and its labels are not ours',
      { ...ours, object: controlledBy(), isLabelled: false },
      taken('was not made by Trunnion'),
    ],
    [
      'takes an object of ours whose owner reference was removed',
      { ...ours, object: controlledBy(), live: ownerless({ kind: 'ConfigMap', name: 'config' }) },
      'none',
    ],
    [
      'fails where another host made the object for this workload',
      { ...ours, object: controlledBy(), live: { ...ownerless({ kind: 'ConfigMap', name: 'config' }), digest: '' } },
      taken('trunnion adopt widget/w -n ns'),
    ],
  ])('%s', (_, state, expected) => {
    expect(stepForTakenName(child, state)).toEqual(expected);
  });
});
