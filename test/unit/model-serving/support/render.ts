import { App, Chart } from 'cdk8s';
import { ModelServing } from '../../../../constructs/index.ts';
import type {
  Manifest,
  ModelServingRuntime,
  ModelServingSpec,
  ModelServingSpecInput,
  RenderedChild,
} from '../../../../constructs/index.ts';
import type { Container, PodSpec, PodTemplate } from '../../../../constructs/parts/kube.ts';

/** The construct of a spec. */
export const construct = (
  spec: ModelServingSpecInput,
  runtime?: ModelServingRuntime,
  name: string = 'llama',
): ModelServing =>
  new ModelServing(new Chart(new App(), 'chart'), 'serving', {
    name,
    namespace: 'models',
    spec,
    ...(runtime && { runtime }),
  });

/** The children of a spec, as every host gets them. */
export const render = (
  spec: ModelServingSpecInput,
  runtime?: ModelServingRuntime,
  name?: string,
): readonly RenderedChild[] => construct(spec, runtime, name).render();

/** A spec with its defaults. */
export const parsed = (spec: ModelServingSpecInput): ModelServingSpec => construct(spec, {}).spec;

/** The ids of the children of a spec, in order. */
export const idsOf = (spec: ModelServingSpecInput, runtime?: ModelServingRuntime): readonly string[] =>
  render(spec, runtime).map(({ id }) => id);

/** One child of a spec. */
export function childOf(id: string, spec: ModelServingSpecInput, runtime?: ModelServingRuntime): RenderedChild {
  const child = render(spec, runtime).find((each) => each.id === id);
  if (!child) throw new Error(`there is no child ${id}`);
  return child;
}

/** The spec of one child. */
export const specOf = (id: string, spec: ModelServingSpecInput, runtime?: ModelServingRuntime) =>
  childOf(id, spec, runtime).manifest['spec'] as Readonly<Record<string, unknown>>;

/** The template of a workload. */
export const templateOf = (manifest: Manifest): PodTemplate =>
  (manifest['spec'] as { readonly template: PodTemplate }).template;

/** The pods of the Deployment. */
export const podOf = (spec: ModelServingSpecInput, runtime?: ModelServingRuntime): PodSpec =>
  templateOf(childOf('deployment', spec, runtime).manifest).spec;

/** The container that serves. */
export function serverOf(spec: ModelServingSpecInput, runtime?: ModelServingRuntime): Container {
  const server = podOf(spec, runtime).containers.find(({ name }) => name === 'server');
  if (!server) throw new Error('there is no container named server');
  return server;
}
