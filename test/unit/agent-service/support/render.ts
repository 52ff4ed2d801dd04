import { App, Chart } from 'cdk8s';
import { AgentService } from '../../../../constructs/agent-service/agent-service.ts';
import type { AgentServiceProps } from '../../../../constructs/agent-service/agent-service.ts';
import type { AgentServiceState } from '../../../../constructs/agent-service/state.ts';
import { ModelServing } from '../../../../constructs/index.ts';
import type { Manifest, ModelServingSpecInput, RenderedChild } from '../../../../constructs/index.ts';
import type { Container, PodSpec, PodTemplate } from '../../../../constructs/parts/objects/kube.ts';

type Spec = AgentServiceProps['spec'];

/** The construct of a spec, named `agents/support-agent`. */
export const construct = (spec: Spec, state?: AgentServiceState): AgentService =>
  new AgentService(new Chart(new App(), 'chart'), 'agent', {
    name: 'support-agent',
    namespace: 'agents',
    spec,
    ...(state && { state }),
  });

/** A ModelServing in a namespace, with an engine of its own. */
export const serving = (more: Partial<ModelServingSpecInput> = {}, namespace: string = 'agents'): ModelServing =>
  new ModelServing(new Chart(new App(), 'models'), 'serving', {
    name: 'llama',
    namespace,
    spec: {
      model: { uri: 'pvc://models', name: 'meta/llama' },
      engine: { type: 'sglang' },
      resources: { gpu: 1 },
      ...more,
    },
  });

/** The children of a spec, as every host gets them. */
export const render = (spec: Spec, state?: AgentServiceState): readonly RenderedChild[] =>
  construct(spec, state).render();

/** The ids of the children of a spec, in order. */
export const idsOf = (spec: Spec, state?: AgentServiceState): readonly string[] =>
  render(spec, state).map(({ id }) => id);

/** One child of a spec. */
export function childOf(id: string, spec: Spec, state?: AgentServiceState): RenderedChild {
  const child = render(spec, state).find((each) => each.id === id);
  if (!child) throw new Error(`there is no child ${id}`);
  return child;
}

/** The spec of one child. */
export const specOf = (id: string, spec: Spec, state?: AgentServiceState) =>
  childOf(id, spec, state).manifest['spec'] as Readonly<Record<string, unknown>>;

/** What the agent is told. */
export const configOf = (spec: Spec, state?: AgentServiceState) =>
  childOf('config', spec, state).manifest['data'] as Readonly<Record<string, string>>;

/** The template of a workload. */
export const templateOf = (manifest: Manifest): PodTemplate =>
  (manifest['spec'] as { readonly template: PodTemplate }).template;

/** The annotations of the pods. */
export const annotationsOf = (spec: Spec, state?: AgentServiceState) =>
  templateOf(childOf('deployment', spec, state).manifest).metadata.annotations ?? {};

/** The pods of the Deployment. */
export const podOf = (spec: Spec, state?: AgentServiceState): PodSpec =>
  templateOf(childOf('deployment', spec, state).manifest).spec;

/** The container of the agent. */
export function agentOf(spec: Spec, state?: AgentServiceState): Container {
  const agent = podOf(spec, state).containers.find(({ name }) => name === 'agent');
  if (!agent) throw new Error('there is no container named agent');
  return agent;
}
