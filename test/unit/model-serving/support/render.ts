import { App, Chart } from 'cdk8s';
import { ModelServing } from '../../../../constructs/index.ts';
import type {
  Manifest,
  ModelServingState,
  ModelServingSpec,
  ModelServingSpecInput,
  RenderedChild,
} from '../../../../constructs/index.ts';
import type { Container, PodSpec, PodTemplate } from '../../../../constructs/parts/objects/kube.ts';

/** The construct of a spec. */
export const construct = (
  spec: ModelServingSpecInput,
  state?: ModelServingState,
  name: string = 'llama',
): ModelServing =>
  new ModelServing(new Chart(new App(), 'chart'), 'serving', {
    name,
    namespace: 'models',
    spec,
    ...(state && { state }),
  });

/** The children of a spec, as every host gets them. */
export const render = (
  spec: ModelServingSpecInput,
  state?: ModelServingState,
  name?: string,
): readonly RenderedChild[] => construct(spec, state, name).render();

/** A spec with its defaults. */
export const parsed = (spec: ModelServingSpecInput): ModelServingSpec => construct(spec, {}).spec;

/** The ids of the children of a spec, in order. */
export const idsOf = (spec: ModelServingSpecInput, state?: ModelServingState): readonly string[] =>
  render(spec, state).map(({ id }) => id);

/** One child of a spec. */
export function childOf(id: string, spec: ModelServingSpecInput, state?: ModelServingState): RenderedChild {
  const child = render(spec, state).find((each) => each.id === id);
  if (!child) throw new Error(`there is no child ${id}`);
  return child;
}

/** The spec of one child. */
export const specOf = (id: string, spec: ModelServingSpecInput, state?: ModelServingState) =>
  childOf(id, spec, state).manifest['spec'] as Readonly<Record<string, unknown>>;

/** The template of a workload. */
export const templateOf = (manifest: Manifest): PodTemplate =>
  (manifest['spec'] as { readonly template: PodTemplate }).template;

/** The pods that answer requests: those of the Deployment, or the leaders of groups. */
export function podOf(spec: ModelServingSpecInput, state?: ModelServingState): PodSpec {
  if ((spec.nodes ?? 1) === 1) return templateOf(childOf('deployment', spec, state).manifest).spec;
  const { leaderWorkerTemplate } = specOf('groups', spec, state) as {
    readonly leaderWorkerTemplate: { readonly leaderTemplate: PodTemplate };
  };
  return leaderWorkerTemplate.leaderTemplate.spec;
}

/** The container that serves. */
export function serverOf(spec: ModelServingSpecInput, state?: ModelServingState): Container {
  const server = podOf(spec, state).containers.find(({ name }) => name === 'server');
  if (!server) throw new Error('there is no container named server');
  return server;
}
