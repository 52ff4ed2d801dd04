import { CONTAINER_PORT, SERVICE_PORT } from '../../constructs/agent-service/render-input.ts';
import type { AgentServiceSpec } from '../../constructs/agent-service/spec.ts';
import type { AgentServiceStatus } from '../../constructs/agent-service/status.ts';
import type { EngineType } from '../../constructs/model-serving/engines.ts';
import { portOf, servedNameOf } from '../../constructs/model-serving/launch.ts';
import type { ModelServingSpec } from '../../constructs/model-serving/spec.ts';
import type { ModelServingStatus } from '../../constructs/model-serving/status.ts';
import type { Kind } from '../../operator/engine/api/index.ts';
import { agentService } from '../../operator/kinds/agent-service/index.ts';
import { modelServing } from '../../operator/kinds/model-serving/index.ts';
import { CliError } from '../errors.ts';
import type { KnownResource } from '../resources.ts';
import { type KeySource, keySourceOf } from './key.ts';

/** The kinds that answer questions. */
export const CHAT_KINDS = [modelServing, agentService] as const;

/** Whether a kind answers questions: the settings of a host make another object of the same kind. */
export const isAskable = ({ type }: Pick<Kind, 'type'>): boolean =>
  CHAT_KINDS.some((each) => each.type.group === type.group && each.type.kind === type.kind);

/** Where OpenAI's chat is asked. */
export const CHAT_PATH = '/v1/chat/completions';

/** Where a text is continued, by models that know no chat. */
export const COMPLETIONS_PATH = '/v1/completions';

/** Where a server says which models it has. */
export const MODELS_PATH = '/v1/models';

/** Where and how a resource is asked. */
export interface Target {
  /** `modelserving/llama`, as commands take it. */
  readonly reference: string;
  readonly namespace: string;
  readonly name: string;
  /** Selects the pods that answer; absent where no operator has looked at the resource yet. */
  readonly selector: string | undefined;
  /** The port that the pods listen on. */
  readonly port: number;
  /** The port of its Service. */
  readonly servicePort: number;
  /** The name of the model, as far as the resource tells it. */
  readonly model: string | undefined;
  /** Whether it may serve several models, and says which at `MODELS_PATH`. */
  readonly listsModels: boolean;
  readonly key: KeySource;
}

/** What each engine speaks that does not speak OpenAI's HTTP, and the path below which it does. */
const OTHER_APIS: Partial<Readonly<Record<EngineType, string>>> = {
  triton: "KServe's V2 protocol, below /v2",
  'tensorflow-serving': "TensorFlow Serving's REST API, below /v1/models",
};

/**
 * Where and how a resource is asked.
 *
 * @throws CliError where nothing of its engine can be asked in words
 */
export function targetOf({ kind, resource }: Pick<KnownResource, 'kind' | 'resource'>): Target {
  const { namespace = '', name } = resource.metadata;
  const reference = `${kind.type.kind.toLowerCase()}/${name}`;
  const common = { reference, namespace, name };
  return kind.type.kind === agentService.type.kind
    ? { ...common, ...ofAgent(resource.spec as AgentServiceSpec, resource.status as AgentServiceStatus | undefined) }
    : { ...common, ...ofModel(common, resource.spec as ModelServingSpec, resource.status as ModelServingStatus) };
}

type Own = Omit<Target, 'reference' | 'namespace' | 'name'>;

function ofModel(
  { reference, namespace, name }: Pick<Target, 'reference' | 'namespace' | 'name'>,
  wanted: ModelServingSpec,
  status: ModelServingStatus | undefined,
): Own {
  // While another model is fetched, the pods are those of the earlier spec.
  const spec = status?.served?.spec ?? wanted;
  const port = portOf(spec);
  const api = OTHER_APIS[spec.engine.type];
  if (api !== undefined) {
    throw new CliError(
      `${reference} does not speak OpenAI's HTTP: its engine ${spec.engine.type} speaks ${api}. Reach it by: kubectl port-forward -n ${namespace} service/${name} ${port}`,
    );
  }
  const model = servedNameOf(name, spec);
  return {
    selector: status?.selector,
    port,
    servicePort: port,
    model,
    listsModels: true,
    key: keySourceOf(spec),
  };
}

function ofAgent(spec: AgentServiceSpec, status: AgentServiceStatus | undefined): Own {
  return {
    selector: status?.selector,
    port: CONTAINER_PORT,
    servicePort: SERVICE_PORT,
    model: status?.model?.name ?? spec.model,
    listsModels: false,
    key: { from: 'none' },
  };
}
