import { expect, it } from 'vitest';
import type { ModelServingSpec } from '../../../../constructs/index.ts';
import {
  OTHER_URI,
  claim,
  decide,
  job,
  resourceOf,
  runningChildren,
  runningStatus,
  server,
  shared,
  withUri,
} from './support.ts';

/** While another model is downloaded, with this as the spec that a status remembers. */
const updating = (spec: unknown) => ({
  resource: resourceOf(withUri(shared, OTHER_URI), {
    status: { ...runningStatus(shared), served: { spec: spec as ModelServingSpec } },
    generation: 2,
  }),
  children: [...runningChildren(shared), claim(OTHER_URI), job(OTHER_URI)],
  pods: [server(shared)],
});

it('continues serving what the status remembers', () => {
  expect(decide(updating(shared)).state.serving).toEqual(shared);
});

it.each([
  ['a volume of the node', { ...shared, podTemplate: { spec: { volumes: [{ name: 'a', hostPath: { path: '/' } }] } } }],
  ['a field that no schema knows', { ...shared, hostNetwork: true }],
  ['a command of its own', { ...shared, engine: { ...shared.engine, command: ['sh', '-c', 'id'] } }],
  ['no model', { engine: shared.engine }],
  ['nothing', {}],
  ['a text', 'spec'],
  ['nothing at all', null],
])('makes no pods from a status that was given %s', (_, spec) => {
  const { state, status } = decide(updating(spec));
  expect(state.serving).toBeUndefined();
  expect(JSON.stringify(status.served ?? {})).not.toContain('hostPath');
});
