import { expect, test } from 'vitest';
import { weightsKey, weightsOf } from '../../../../constructs/parts/weights/key.ts';
import { mounts, mountsOther } from '../../../../operator/kinds/model-serving/view.ts';
import type { ObservedPod } from '../../../../operator/engine/observed.ts';

const model = { uri: 'hf://acme/tiny', files: { include: ['*.json'] } };
const pod = { annotations: { 'trunnion.dev/weights': weightsKey(weightsOf(model)) } } as unknown as ObservedPod;

test.each([
  { uri: model.uri },
  { ...model, files: { include: ['*'] } },
  { ...model, file: 'a.gguf' },
  { ...model, tokenizer: { uri: model.uri } },
])('a pod with some files of a model mounts other weights than those of %j', (other) => {
  expect([mounts(pod, model), mountsOther(pod, model)]).toEqual([true, false]);
  expect([mounts(pod, other), mountsOther(pod, other)]).toEqual([false, true]);
});
