import { expect, test } from 'vitest';
import { weightsKey } from '../../../../constructs/parts/weights/key.ts';
import { mounts, mountsOther } from '../../../../operator/kinds/model-serving/observed.ts';
import type { ObservedPod } from '../../../../operator/engine/api/observed.ts';
import { decide, resourceOf, runningChildren, runningStatus, server, shared, single, withUri } from './support.ts';

const model = { uri: 'hf://acme/tiny', files: { include: ['*.json'] } };
const pod = { annotations: { 'trunnion.dev/weights': weightsKey(model) } } as unknown as ObservedPod;

test.each([
  { uri: model.uri },
  { ...model, files: { include: ['*'] } },
  { ...model, file: 'a.gguf' },
  { ...model, tokenizer: { uri: model.uri } },
])('a pod with some files of a model mounts other weights than those of %j', (other) => {
  expect([mounts(pod, model), mountsOther(pod, model)]).toEqual([true, false]);
  expect([mounts(pod, other), mountsOther(pod, other)]).toEqual([false, true]);
});

test.each([
  ['a Job fetches', shared],
  ['its own pod fetches', single],
])('a gpt-oss that %s serves on while its vocabulary comes, which an earlier operator did not fetch', (_, spec) => {
  const oss = withUri(spec, 's3://models/gpt-oss-20b/');
  const status = { ...runningStatus(spec), served: { spec: oss } };
  const children = runningChildren(oss);
  // The pod has the key of the URI alone.
  const { state, status: next } = decide({
    resource: resourceOf(oss, { status }),
    children,
    pods: [server(oss)],
  });
  const without = { ...oss, model: { ...oss.model, vocabulary: 'none' } };
  expect(state.serving).toEqual(without);
  expect(next.served?.spec).toEqual(without);

  const annotations = { 'trunnion.dev/weights': weightsKey(oss.model) };
  const pods = [{ ...server(oss), annotations }];
  expect(decide({ resource: resourceOf(oss, { status }), children, pods }).state.serving).toBeUndefined();
});
