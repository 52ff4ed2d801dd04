import type { ServedModel } from '../../../constructs/agent-service/state.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { endpointOf, portOf, servedNameOf } from '../../../constructs/model-serving/launch.ts';
import { serverSelector } from '../../../constructs/model-serving/manifests.ts';
import { conditionOf } from '../../engine/api/index.ts';
import type { Diagnosis } from '../shared/diagnosis-text.ts';
import { rememberedStatus } from '../model-serving/remembered.ts';
import type { ModelServingResource } from '../model-serving/observed.ts';
import type { Binding, Context, Model, Part } from './context.ts';
import type { AgentServiceResource, Observed } from './observed.ts';

/** The resources that an agent refers to, by kind and name. */
export const referencesOf = ({ spec }: AgentServiceResource): readonly string[] =>
  spec.modelRef ? [idOf(spec.modelRef.name)] : [];

/** The agent is told where its model answers. */
export const bindModel = ({ model: { binding } }: Context): Part =>
  binding ? { state: { model: servedModel(binding) }, status: { model: binding } } : {};

/**
 * Looks the model up. One that is gone is remembered as it was: pods that run are not stopped for it, since it may come
 * back, and a restart would not help.
 */
export function modelOf({ snapshot, namespace, spec, status }: Observed): Model {
  if (!spec.modelRef) return {};
  const { name } = spec.modelRef;
  const last = status.model && isOwn(status.model, namespace) ? status.model : undefined;
  const remembered = last ? { binding: last } : {};
  const found = snapshot.related[idOf(name)] as ModelServingResource | undefined;
  if (!found) return { ...remembered, unresolved: notFound(name, last) };
  if (isLeaving(found)) return { ...remembered, unresolved: leaving(found) };
  const away = absence(found);
  return { binding: bindingOf(found, namespace), ...(away && { away }) };
}

/** No admission has seen a status: anyone who may write it must not send an agent's questions elsewhere by it. */
const isOwn = ({ ref, baseUrl, port }: Binding, namespace: string): boolean =>
  `${baseUrl}/`.startsWith(`http://${ref}.${namespace}.svc:${port}/`);

/** What the construct needs of it. */
export const servedModel = ({ ref, baseUrl, name, port }: Binding): ServedModel => ({
  baseUrl,
  name,
  port,
  selector: serverSelector(ref),
});

const idOf = (name: string): string => `${modelServing.kind}/${name}`;

const isLeaving = ({ metadata, spec }: ModelServingResource): boolean =>
  metadata.deletionTimestamp !== undefined || spec.retired;

/** By the spec whose pods serve: while another model is fetched, that is the earlier one. */
function bindingOf(found: ModelServingResource, namespace: string): Binding {
  const { metadata, spec } = found;
  const serving = rememberedStatus(found).served?.spec ?? spec;
  return {
    ref: metadata.name,
    name: servedNameOf(metadata.name, serving),
    baseUrl: endpointOf(metadata.name, namespace, serving),
    port: portOf(serving),
  };
}

function notFound(name: string, remembered: Binding | undefined): Diagnosis {
  const meanwhile = remembered
    ? `The pods continue with ${remembered.ref} as it was.`
    : 'Until then no pod is started.';
  return {
    reason: 'ModelNotFound',
    message: `There is no ModelServing ${name} in this namespace. Create it, or correct modelRef. ${meanwhile}`,
    // It may be applied after the agent: that order doesn't matter.
    stuck: false,
  };
}

function leaving({ metadata, spec }: ModelServingResource): Diagnosis {
  const instead = spec.successor === undefined ? 'another one' : `its successor ${spec.successor}`;
  return {
    reason: 'ModelRetired',
    message: `ModelServing ${metadata.name} is going out of service. Refer to ${instead}.`,
    stuck: true,
  };
}

function absence({ metadata, status }: ModelServingResource): Diagnosis | undefined {
  if (conditionOf(status?.conditions, 'Available')?.status === 'True') return undefined;
  return {
    reason: 'ModelNotReady',
    message: `ModelServing ${metadata.name} does not answer: its phase is ${status?.phase ?? 'Pending'}.`,
    stuck: false,
  };
}
