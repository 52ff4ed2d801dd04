import * as pulumi from '@pulumi/pulumi';
import { elsewhere } from '../../constructs/agent-service/agent-service.ts';
import * as constructs from '../../constructs/index.ts';
import { WorkloadComponent, type WorkloadArgs, type WorkloadOptions } from './component.ts';
import { inputErrors } from './errors.ts';
import { Template, type Inputs, type Text } from './inputs.ts';
import { ModelServing } from './model-serving.ts';

/** The spec of the construct: `model` is a name for a provider, or what serves it. */
type Spec = constructs.AgentServiceProps['spec'];

/** What a ModelServing tells of itself. */
type Source = Inputs<constructs.ModelSource>;

/** What an AgentService is made from. */
export interface AgentServiceArgs extends Omit<WorkloadArgs<Spec>, 'spec'> {
  /**
   * What to run: the construct's own spec, with Outputs where it has text. `model` may be a ModelServing of the same
   * namespace, or its `source`: base URL, served name and the leave to reach it follow from it.
   */
  readonly spec: Inputs<Omit<Spec, 'model'>> & { readonly model?: Text | ModelServing | Source };
}

/**
 * Runs an agent: any image that listens on port 8000. It is told its model, tools and MCP servers, may reach these and
 * what is declared, is scaled by its load and exposed.
 */
export class AgentService extends WorkloadComponent<Spec, 'endpoint'> {
  /** Where clients inside the cluster ask: `http://support-agent.agents.svc`. */
  readonly endpoint: pulumi.Output<string>;

  /** @throws pulumi.InputPropertiesError with all that is wrong with the arguments at once */
  constructor(name: string, args: AgentServiceArgs, opts: WorkloadOptions = {}) {
    const { model, ...rest } = args.spec;
    const source = sourceOf(model);
    const isOperated = opts.via === 'operator' && source !== undefined;
    // Who makes the objects of a model that is known by its source alone, the operator finds out.
    if (isOperated && model instanceof ModelServing && model.via !== 'operator')
      throw inputErrors(`AgentService ${name}`, [unseen]);
    const named = source === undefined ? undefined : { name: source.name };
    const spec = { ...rest, ...(isOperated && named ? { modelRef: named } : modelOf(source ?? (model as Text))) };
    super(name, { ...args, spec }, opts, {
      kind: 'AgentService',
      // Where all replicas may be stopped, a Service without endpoints is no fault.
      awaits: ({ autoscaling, replicas }) => (replicas === 0 || autoscaling?.minReplicas === 0 ? 'Accepted' : 'Ready'),
      statusFields: { endpoint: 'url' },
      make: (scope, { spec, ...props }) => {
        const workload = new constructs.AgentService(scope, 'workload', {
          ...props,
          spec: near(spec, props.namespace),
        });
        return { workload, outputs: { endpoint: workload.url } };
      },
    });
    if (source !== undefined) refuseElsewhere(name, source, args.namespace);
    this.endpoint = this.reported.endpoint;
  }
}

/** The operator looks a model up by its resource. */
const unseen = {
  path: 'spec.model',
  message:
    "must be a ModelServing that the operator runs as well, with {via: 'operator'}, since it knows no other: else give its name, and its endpoint as OPENAI_BASE_URL in env",
};

const modelOf = (model: Text | Source | undefined): Partial<Pick<Inputs<Spec>, 'model'>> =>
  model === undefined ? {} : { model };

/** What serves the model: undefined where it is a name. */
function sourceOf(model: AgentServiceArgs['spec']['model']): Source | undefined {
  if (model instanceof ModelServing) return model.source;
  const isText = typeof model !== 'object' || model instanceof Promise || model instanceof Template;
  return isText || pulumi.Output.isInstance(model) ? undefined : model;
}

/** Both namespaces may be known later only, by different placeholders: whether they are one is found out once they are. */
const near = (spec: Spec, namespace: string): Spec =>
  typeof spec.model === 'object' ? { ...spec, model: { ...spec.model, namespace } } : spec;

function refuseElsewhere(agent: string, source: Source, namespace: Text): void {
  const texts = [source.name, source.namespace, namespace].map(outputOf);
  pulumi.all(texts).apply(([name = '', there = '', here = '']) => {
    if (there !== here) throw inputErrors(`AgentService ${agent}`, [elsewhere({ name, namespace: there }, here)]);
  });
}

const outputOf = (text: Text): pulumi.Output<string> => (text instanceof Template ? text.output : pulumi.output(text));
