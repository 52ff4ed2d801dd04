import { App, Chart } from 'cdk8s';
import { DistributedTraining } from '../../../../constructs/distributed-training/distributed-training.ts';
import type { DistributedTrainingState } from '../../../../constructs/distributed-training/state.ts';
import type { DistributedTrainingSpecInput } from '../../../../constructs/distributed-training/spec.ts';
import type { RenderedChild } from '../../../../constructs/index.ts';
import type { Container, PodSpec, PodTemplate } from '../../../../constructs/parts/objects/kube.ts';

/** The construct of a spec, named `training/resnet`. */
export const construct = (
  spec: DistributedTrainingSpecInput,
  state?: DistributedTrainingState,
  name: string = 'resnet',
): DistributedTraining =>
  new DistributedTraining(new Chart(new App(), 'chart'), 'training', {
    name,
    namespace: 'training',
    spec,
    ...(state && { state }),
  });

/** The children of a spec, as every host gets them. */
export const render = (
  spec: DistributedTrainingSpecInput,
  state?: DistributedTrainingState,
): readonly RenderedChild[] => construct(spec, state).render();

/** The ids of the children of a spec, in order. */
export const idsOf = (spec: DistributedTrainingSpecInput, state?: DistributedTrainingState): readonly string[] =>
  render(spec, state).map(({ id }) => id);

/** One child of a spec. */
export function childOf(
  id: string,
  spec: DistributedTrainingSpecInput,
  state?: DistributedTrainingState,
): RenderedChild {
  const child = render(spec, state).find((each) => each.id === id);
  if (!child) throw new Error(`there is no child ${id}`);
  return child;
}

/** The spec of one child. */
export const specOf = (id: string, spec: DistributedTrainingSpecInput, state?: DistributedTrainingState) =>
  childOf(id, spec, state).manifest['spec'] as Readonly<Record<string, unknown>>;

/** The pods of a role. */
export const podOf = (
  spec: DistributedTrainingSpecInput,
  role: string = 'worker',
  state?: DistributedTrainingState,
): PodSpec => (specOf(role, spec, state) as { readonly template: PodTemplate }).template.spec;

/** The container of a role that runs the program. */
export function trainerOf(
  spec: DistributedTrainingSpecInput,
  role?: string,
  state?: DistributedTrainingState,
): Container {
  const trainer = podOf(spec, role, state).containers.find(({ name }) => name === 'trainer');
  if (!trainer) throw new Error('there is no container named trainer');
  return trainer;
}

/** The variables of a role by name: their value, or the field that they are read from. */
export const envOf = (
  spec: DistributedTrainingSpecInput,
  role?: string,
  state?: DistributedTrainingState,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (trainerOf(spec, role, state).env ?? []).map(({ name, value, valueFrom }) => [
      name,
      value ?? valueFrom?.fieldRef?.fieldPath ?? `${valueFrom?.secretKeyRef?.name}/${valueFrom?.secretKeyRef?.key}`,
    ]),
  );
