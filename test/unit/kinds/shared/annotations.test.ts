import { expect, test } from 'vitest';
import { kinds, kindsWith } from '../../../../compat/kinds/index.ts';
import type { Kind } from '../../../../operator/engine/api/kind.ts';
import {
  OTHER_URI,
  START,
  claim,
  job,
  resourceOf,
  runningChildren,
  runningStatus,
  conditionOf,
  messageOf,
  server,
  shared,
  snapshotOf,
  withUri,
} from '../model-serving/support.ts';
import { refused } from '../../../support/decided.ts';

const serving = (among: readonly Kind[]): Kind => {
  const [kind] = among;
  if (kind?.type.kind !== 'ModelServing') throw new Error('the first kind is another');
  return kind;
};

const annotated = { ...shared, podTemplate: { metadata: { annotations: { 'k8s.v1.cni.cncf.io/networks': 'a' } } } };

/** While another model is downloaded, with this as the spec that a status remembers. */
const updating = (spec: typeof shared) =>
  snapshotOf({
    resource: resourceOf(withUri(shared, OTHER_URI), {
      status: { ...runningStatus(shared), served: { spec } },
      generation: 2,
    }),
    children: [...runningChildren(shared), claim(OTHER_URI), job(OTHER_URI)],
    pods: [server(shared)],
  });

const remembers = (among: readonly Kind[], spec: typeof shared): unknown =>
  (serving(among).reconcile(updating(spec), START).state as { readonly serving?: unknown }).serving;

test('a status remembers no spec with an annotation that is not allowed', () => {
  expect(remembers(kinds, shared)).toEqual(shared);
  expect(remembers(kinds, annotated)).toBeUndefined();
});

test('a status remembers one that the administrator allows', () => {
  const among = kindsWith({ allowedAnnotations: { pod: ['k8s.v1.cni.cncf.io/networks'] } }).kinds;
  expect(remembers(among, annotated)).toEqual(annotated);
});

test('the reason of a refusal is in every condition that it concerns, and what serves continues', () => {
  const running = runningStatus(shared);
  const resource = resourceOf(annotated, { status: running, generation: 2 });
  const status = refused(serving(kinds), resource, 'words', {
    now: START,
    refusal: 'AnnotationNotAllowed',
  }) as typeof running;
  expect(conditionOf(status, 'Accepted')).toBe('False AnnotationNotAllowed');
  expect(conditionOf(status, 'Ready')).toBe('False AnnotationNotAllowed');
  expect(conditionOf(status, 'Available')).toBe('True Available');
  expect(messageOf(status, 'Accepted')).toBe('words');
  expect(status.served).toEqual(running.served);
});
