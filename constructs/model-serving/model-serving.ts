import type { Construct } from 'constructs';
import { triggerAuthentication, authenticationOf } from '../parts/scaling/index.ts';
import { httpRoute, ingress, hostEgress } from '../parts/network/index.ts';
import type { Labels } from '../parts/objects/index.ts';
import { serviceAccount } from '../parts/pod/index.ts';
import { fetcherImageOf } from './fetcher-image.ts';
import { fetcherScript, fetchJob, weightsClaim, weightsKey } from '../parts/weights/index.ts';
import { claimName } from '../makers.ts';
import { parseSpec } from '../schema/parse.ts';
import { Workload } from '../workload.ts';
import type { ChildOptions, WorkloadProps } from '../workload.ts';
import { modelServing } from './kind.ts';
import { endpointOf, isGrouped, portOf, servedNameOf } from './launch.ts';
import {
  backendOf,
  budget,
  deployment,
  fetcherNetworkPolicy,
  fetchNetworkPolicy,
  groups,
  ownMetadata,
  podSelector,
  scaler,
  serverNetworkPolicy,
  serverSelector,
  service,
  workerNetworkPolicy,
} from './manifests.ts';
import { hasGroups } from './group.ts';
import {
  renderInputOf,
  canHaveReplicas,
  hasFetchJob,
  hasWeights,
  isSingleMount,
  needsFetcherScript,
  weightsInput,
} from './render-input.ts';
import type { RenderInput } from './render-input.ts';
import type { ModelServingState } from './state.ts';
import type { ModelServingSpec, ModelServingSpecInput } from './spec.ts';
import { takesKeda } from './scaling.ts';
import { warningsOf } from './warnings.ts';

/** What a ModelServing is made from. */
export type ModelServingProps = WorkloadProps<ModelServingSpecInput, ModelServingState>;

/**
 * Serves one model: fetches its weights, runs an engine on them, scales it and exposes it.
 *
 * @throws SpecError with all that is wrong with the spec at once
 */
export class ModelServing extends Workload {
  /** The name of the resource. */
  readonly name: string;
  /** The namespace of all children. */
  readonly namespace: string;
  /** The spec with its defaults. */
  readonly spec: ModelServingSpec;
  /** What its user should know before it runs; cdk8s finds them as metadata of the type `warning` on the node. */
  readonly warnings: readonly string[];

  constructor(scope: Construct, id: string, props: ModelServingProps) {
    super(scope, id);
    const { name, namespace, state, naming } = props;
    const host = state === undefined ? 'static' : 'operator';
    this.name = name;
    this.namespace = namespace;
    this.spec = parseSpec(modelServing, { name, namespace, spec: props.spec, host });
    claimName(this, modelServing.kind, { name, namespace });
    this.warnings = warningsOf(this.spec, host);
    for (const warning of this.warnings) this.node.addMetadata('warning', warning);
    this.#addChildren(renderInputOf(name, namespace, this.spec, state ?? {}, naming, fetcherImageOf(this)));
  }

  /** The base URL that clients inside the cluster use: `http://llama.models.svc:8000/v1`. */
  get endpoint(): string {
    return endpointOf(this.name, this.namespace, this.spec);
  }

  /** The name that clients ask for: `model` of an OpenAI request. */
  get servedName(): string {
    return servedNameOf(this.name, this.spec);
  }

  /** The port of the Service, which the pods listen on as well. */
  get port(): number {
    return portOf(this.spec);
  }

  /** The labels that select the pods that serve. */
  get selector(): Labels {
    return serverSelector(this.name);
  }

  /** Names the volume and the fetch of the model: a hash of the URI as written, and of which files are fetched. */
  get weightsKey(): string {
    return weightsKey(this.spec.model);
  }

  #addChildren(input: RenderInput): void {
    const { lifecycle = 'serving' } = input.state;
    this.add('service-account', serviceAccount(ownMetadata(input), this.spec.serviceAccount?.annotations));
    if (lifecycle === 'retired') {
      this.#addClaims(input);
      return;
    }
    // Pods of an earlier model find its weights on their volume, and fetch nothing: the script of the new model serves them too.
    const fetched = [input.spec, input.pods].find((spec) => needsFetcherScript(input, spec));
    if (fetched) this.add('fetcher-script', fetcherScript(weightsInput(input, fetched)));
    // First, so that a server that fetches while it gets this policy continues.
    if ([input.spec, input.pods].some(isSingleMount)) this.add('fetch-network-policy', fetchNetworkPolicy(input));
    this.add('network-policy', serverNetworkPolicy(input));
    if (hasGroups(input)) this.add('worker-network-policy', workerNetworkPolicy(input));
    if (hasFetchJob(input.spec)) this.add('fetcher-network-policy', fetcherNetworkPolicy(input));
    const hosts = hostEgress(ownMetadata(input), podSelector(this.name), this.spec.egress);
    if (hosts) this.add('host-egress', hosts);
    this.#addClaims(input);
    if (hasFetchJob(input.spec)) this.add('fetch', fetchJob(weightsInput(input, input.spec)), { after: ['weights'] });
    this.#addServers(input, lifecycle === 'draining');
    if (lifecycle === 'serving') this.#addService(input);
  }

  #addClaims(input: RenderInput): void {
    const claim = (id: string, spec: ModelServingSpec) =>
      this.add(id, weightsClaim(weightsInput(input, spec)), { retain: spec.storage?.retain ?? false });
    if (input.earlier) claim('earlier-weights', input.earlier);
    if (hasWeights(input.spec)) claim('weights', input.spec);
  }

  #addServers(input: RenderInput, draining: boolean): void {
    const { spec, state } = input;
    const replicas = draining || spec.autoscaling ? undefined : spec.replicas;
    const options = { after: serversWaitFor(input), unmanagedFields: replicas === undefined ? ['spec.replicas'] : [] };
    this.#addWorkload(input, replicas, options);
    if (state.standing) this.#addWorkload({ ...input, pods: state.standing }, replicas, { ...options, after: [] });
  }

  #addWorkload(input: RenderInput, replicas: number | undefined, options: ChildOptions): void {
    if (isGrouped(input.pods)) this.add('groups', groups(input, replicas), options);
    else this.add('deployment', deployment(input, replicas), options);
  }

  #addService(input: RenderInput): void {
    const { spec } = input;
    this.add('service', service(input));
    if (canHaveReplicas(spec)) this.add('disruption-budget', budget(input));
    if (spec.autoscaling) this.#addAutoscaler(input, spec.autoscaling);
    if (spec.expose?.ingress) this.add('ingress', ingress(ownMetadata(input), spec.expose.ingress, backendOf(input)));
    if (spec.expose?.gateway) this.add('route', httpRoute(ownMetadata(input), spec.expose.gateway, backendOf(input)));
  }

  #addAutoscaler(input: RenderInput, autoscaling: NonNullable<ModelServingSpec['autoscaling']>): void {
    const { prometheus } = autoscaling;
    const shown = prometheus && takesKeda(autoscaling) ? authenticationOf(prometheus) : undefined;
    if (shown) this.add('trigger-authentication', triggerAuthentication(ownMetadata(input), shown));
    this.add('autoscaler', scaler(input, autoscaling), { after: shown ? ['trigger-authentication'] : [] });
  }
}

/**
 * The pods wait for their own model: for its fetch where a Job does it, else for its volume. No pods wait for none: a
 * volume that is being deleted stays until they are scaled away.
 */
function serversWaitFor({ spec, pods, earlier }: RenderInput): NonNullable<ChildOptions['after']> {
  if (!hasWeights(pods) || spec.replicas === 0) return [];
  if (pods !== spec) return [earlier ? 'earlier-weights' : 'weights'];
  return [hasFetchJob(spec) ? 'fetch' : 'weights'];
}
