import { App, Chart } from 'cdk8s';
import { AgentService } from '../../../../constructs/agent-service/agent-service.ts';
import type { AgentServiceProps } from '../../../../constructs/agent-service/agent-service.ts';
import type { AgentServiceRuntime } from '../../../../constructs/agent-service/runtime.ts';
import { ModelServing } from '../../../../constructs/index.ts';
import type { Manifest, ModelServingSpecInput, RenderedChild } from '../../../../constructs/index.ts';
import type { Container, PodSpec, PodTemplate } from '../../../../constructs/parts/kube.ts';

type Spec = AgentServiceProps['spec'];

/** The construct of a spec, named `agents/support-agent`. */
export const construct = (spec: Spec, runtime?: AgentServiceRuntime): AgentService =>
  new AgentService(new Chart(new App(), 'chart'), 'agent', {
    name: 'support-agent',
    namespace: 'agents',
    spec,
    ...(runtime && { runtime }),
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
export const render = (spec: Spec, runtime?: AgentServiceRuntime): readonly RenderedChild[] =>
  construct(spec, runtime).render();

/** The ids of the children of a spec, in order. */
export const idsOf = (spec: Spec, runtime?: AgentServiceRuntime): readonly string[] =>
  render(spec, runtime).map(({ id }) => id);

/** One child of a spec. */
export function childOf(id: string, spec: Spec, runtime?: AgentServiceRuntime): RenderedChild {
  const child = render(spec, runtime).find((each) => each.id === id);
  if (!child) throw new Error(`there is no child ${id}`);
  return child;
}

/** The spec of one child. */
export const specOf = (id: string, spec: Spec, runtime?: AgentServiceRuntime) =>
  childOf(id, spec, runtime).manifest['spec'] as Readonly<Record<string, unknown>>;

/** What the agent is told. */
export const configOf = (spec: Spec, runtime?: AgentServiceRuntime) =>
  childOf('config', spec, runtime).manifest['data'] as Readonly<Record<string, string>>;

/** The template of a workload. */
export const templateOf = (manifest: Manifest): PodTemplate =>
  (manifest['spec'] as { readonly template: PodTemplate }).template;

/** The annotations of the pods. */
export const annotationsOf = (spec: Spec, runtime?: AgentServiceRuntime) =>
  templateOf(childOf('deployment', spec, runtime).manifest).metadata.annotations ?? {};

/** The pods of the Deployment. */
export const podOf = (spec: Spec, runtime?: AgentServiceRuntime): PodSpec =>
  templateOf(childOf('deployment', spec, runtime).manifest).spec;

/** The container of the agent. */
export function agentOf(spec: Spec, runtime?: AgentServiceRuntime): Container {
  const agent = podOf(spec, runtime).containers.find(({ name }) => name === 'agent');
  if (!agent) throw new Error('there is no container named agent');
  return agent;
}
