import type { Construct } from 'constructs';
import { triggerAuthentication, disruptionBudget } from '../parts/scaling/index.ts';
import { httpRoute, ingress, hostEgress } from '../parts/network/index.ts';
import type { Labels, Naming } from '../parts/objects/index.ts';
import { serviceAccount } from '../parts/pod/index.ts';
import { claimName } from '../makers.ts';
import { SpecError, type Problem } from '../schema/error.ts';
import { parseSpec } from '../schema/parse.ts';
import { Workload } from '../workload.ts';
import type { WorkloadProps } from '../workload.ts';
import { agentSelector, canHaveReplicas, ownMetadata, urlOf } from './render-input.ts';
import type { RenderInput } from './render-input.ts';
import { configMap } from './config.ts';
import { agentService } from './kind.ts';
import { agentNetworkPolicy, backendOf, deployment, service } from './manifests.ts';
import type { AgentServiceState, ServedModel } from './state.ts';
import { queueAuthentication, scaler } from './scaling.ts';
import type { AgentServiceSpec, AgentServiceSpecInput } from './spec.ts';
import { warningsOf } from './warnings.ts';

/** A construct that serves a model: ModelServing is one. */
export interface ModelSource {
  readonly name: string;
  readonly namespace: string;
  readonly endpoint: string;
  readonly servedName: string;
  readonly selector: Labels;
  readonly port: number;
}

/** What an AgentService is made from. */
export interface AgentServiceProps extends Omit<WorkloadProps<AgentServiceSpecInput, AgentServiceState>, 'spec'> {
  /**
   * What to run: the same type, defaults and rules as `spec` of the custom resource. Here `model` may also be a
   * ModelServing of the same namespace: base URL, served name and the leave to reach it follow from it, as they do from
   * `modelRef` under the operator.
   */
  readonly spec: Omit<AgentServiceSpecInput, 'model'> & { readonly model?: string | ModelSource };
}

/**
 * Runs an agent: any image that listens on port 8000. It is told its model, tools and MCP servers, may reach these and
 * what is declared, is scaled by its load and exposed.
 *
 * @throws SpecError with all that is wrong with the spec at once
 */
export class AgentService extends Workload {
  /** The name of the resource. */
  readonly name: string;
  /** The namespace of all children. */
  readonly namespace: string;
  /** The spec with its defaults; a construct that was given as `model` is a `modelRef` here. */
  readonly spec: AgentServiceSpec;
  /** What its user should know before it runs; cdk8s finds them as metadata of the type `warning` on the node. */
  readonly warnings: readonly string[];
  readonly #naming: Naming | undefined;

  constructor(scope: Construct, id: string, { name, namespace, spec, state, naming }: AgentServiceProps) {
    super(scope, id);
    // Who isn't checked may leave it out: that is told with all else.
    const { model: given, ...rest } = spec ?? {};
    const source = typeof given === 'object' ? given : undefined;
    const written =
      spec === undefined || spec === null
        ? spec
        : source
          ? { ...rest, modelRef: { name: source.name } }
          : { ...rest, ...(typeof given === 'string' && { model: given }) };
    // The only rule of static hosts is that nobody looks a modelRef up; here it is found already.
    const host = state === undefined && source === undefined ? 'static' : 'operator';
    this.name = name;
    this.namespace = namespace;
    this.spec = parseSpec(agentService, { name, namespace, spec: written, host });
    claimName(this, agentService.kind, { name, namespace });
    if (source) refuseElsewhere(source, spec, { name, namespace });
    this.#naming = naming;
    this.warnings = warningsOf(namespace, this.spec);
    for (const warning of this.warnings) this.node.addMetadata('warning', warning);
    this.#addChildren({
      name,
      namespace,
      spec: this.spec,
      model: source ? servedBy(source) : state?.model,
      referencesHash: state?.referencesHash,
      naming,
    });
  }

  /** Where clients inside the cluster ask: `http://support-agent.agents.svc`. */
  get url(): string {
    return urlOf(this.name, this.namespace, this.#naming);
  }

  /** The labels that select the pods. */
  get selector(): Labels {
    return agentSelector(this.name);
  }

  #addChildren(input: RenderInput): void {
    const { spec, model } = input;
    this.add('service-account', serviceAccount(ownMetadata(input), spec.serviceAccount?.annotations));
    this.add('network-policy', agentNetworkPolicy(input));
    const hosts = hostEgress(ownMetadata(input), this.selector, spec.egress);
    if (hosts) this.add('host-egress', hosts);
    // Pods that don't know their model yet could only fail.
    if (spec.modelRef === undefined || model !== undefined) this.#addPods(input);
    this.add('service', service(input));
    const { ingress: byIngress, gateway } = spec.expose ?? {};
    if (byIngress) this.add('ingress', ingress(ownMetadata(input), byIngress, backendOf(input)));
    if (gateway) this.add('route', httpRoute(ownMetadata(input), gateway, backendOf(input)));
  }

  #addPods(input: RenderInput): void {
    const { spec } = input;
    const replicas = spec.autoscaling ? undefined : spec.replicas;
    this.add('config', configMap(input));
    // Pods of a new template must not start with the configuration before it.
    this.add('deployment', deployment(input, replicas), {
      after: ['config'],
      unmanagedFields: replicas === undefined ? ['spec.replicas'] : [],
    });
    if (canHaveReplicas(spec))
      this.add('disruption-budget', disruptionBudget(ownMetadata(input), { matchLabels: this.selector }));
    if (spec.autoscaling) this.#addAutoscaler(input, spec.autoscaling);
  }

  #addAutoscaler(input: RenderInput, autoscaling: NonNullable<AgentServiceSpec['autoscaling']>): void {
    const shown = autoscaling.queue && queueAuthentication(autoscaling.queue);
    if (shown) this.add('trigger-authentication', triggerAuthentication(ownMetadata(input), shown));
    this.add('autoscaler', scaler(input, autoscaling), { after: shown ? ['trigger-authentication'] : [] });
  }
}

const servedBy = ({ endpoint, servedName, selector, port }: ModelSource): ServedModel => ({
  baseUrl: endpoint,
  name: servedName,
  selector,
  port,
});

/** A model of another namespace than its agent. */
export const elsewhere = (source: Pick<ModelSource, 'name' | 'namespace'>, namespace: string): Problem => ({
  path: 'spec.model',
  message: `must be a ModelServing of the namespace ${namespace}: for one of another namespace, give its servedName as model, its endpoint as OPENAI_BASE_URL in env, and declare egress`,
  got: `${source.namespace}/${source.name}`,
});

/** What a custom resource can't say, its construct must not either. */
function refuseElsewhere(
  source: ModelSource,
  { modelRef }: AgentServiceProps['spec'],
  { name, namespace }: { readonly name: string; readonly namespace: string },
): void {
  const problems = [
    ...(source.namespace === namespace ? [] : [elsewhere(source, namespace)]),
    ...(modelRef === undefined
      ? []
      : [{ path: 'spec.modelRef', message: 'must be left out where model is a ModelServing, from which it follows' }]),
  ];
  if (problems.length > 0) throw new SpecError(`${agentService.kind} ${namespace}/${name}`, problems);
}
