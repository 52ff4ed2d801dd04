import type { Construct } from 'constructs';
import { triggerAuthentication } from '../parts/autoscaling.ts';
import { disruptionBudget } from '../parts/disruption.ts';
import { httpRoute, ingress } from '../parts/exposure.ts';
import { hostEgress } from '../parts/host-egress.ts';
import type { Labels } from '../parts/labels.ts';
import { authenticationOf } from '../parts/prometheus.ts';
import { serviceAccount } from '../parts/service-account.ts';
import { fetcherImageOf } from './fetcher-image.ts';
import { fetcherScript, fetchJob, weightsClaim, weightsKey } from '../parts/weights/index.ts';
import { claimName } from '../makers.ts';
import { parseSpec } from '../schema/parse.ts';
import { Workload } from '../workload.ts';
import type { ChildOptions, WorkloadProps } from '../workload.ts';
import { modelServing } from './kind.ts';
import { endpointOf, portOf, servedNameOf } from './launch.ts';
import {
  backendOf,
  deployment,
  fetcherNetworkPolicy,
  fetchNetworkPolicy,
  ownMetadata,
  podSelector,
  scaler,
  serverNetworkPolicy,
  serverSelector,
  service,
} from './manifests.ts';
import {
  blueprintOf,
  canHaveReplicas,
  hasFetchJob,
  hasWeights,
  isSingleMount,
  needsFetcherScript,
  weightsInput,
} from './blueprint.ts';
import type { Blueprint } from './blueprint.ts';
import type { ModelServingRuntime } from './runtime.ts';
import type { ModelServingSpec, ModelServingSpecInput } from './spec.ts';
import { takesKeda } from './scaling.ts';
import { warningsOf } from './warnings.ts';

/** What a ModelServing is made from. */
export type ModelServingProps = WorkloadProps<ModelServingSpecInput, ModelServingRuntime>;

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
    const { name, namespace, runtime, naming } = props;
    const host = runtime === undefined ? 'static' : 'operator';
    this.name = name;
    this.namespace = namespace;
    this.spec = parseSpec(modelServing, { name, namespace, spec: props.spec, host });
    claimName(this, modelServing.kind, { name, namespace });
    this.warnings = warningsOf(this.spec, host);
    for (const warning of this.warnings) this.node.addMetadata('warning', warning);
    this.#addChildren(blueprintOf(name, namespace, this.spec, runtime ?? {}, naming, fetcherImageOf(this)));
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

  #addChildren(blueprint: Blueprint): void {
    const { lifecycle = 'serving' } = blueprint.runtime;
    this.add('service-account', serviceAccount(ownMetadata(blueprint), this.spec.serviceAccount?.annotations));
    if (lifecycle === 'retired') {
      this.#addClaims(blueprint);
      return;
    }
    // Pods of an earlier model find its weights on their volume, and fetch nothing: the script of the new model serves them too.
    const fetched = [blueprint.spec, blueprint.pods].find((spec) => needsFetcherScript(blueprint, spec));
    if (fetched) this.add('fetcher-script', fetcherScript(weightsInput(blueprint, fetched)));
    // First, so that a server that fetches while it gets this policy goes on.
    if ([blueprint.spec, blueprint.pods].some(isSingleMount))
      this.add('fetch-network-policy', fetchNetworkPolicy(blueprint));
    this.add('network-policy', serverNetworkPolicy(blueprint));
    if (hasFetchJob(blueprint.spec)) this.add('fetcher-network-policy', fetcherNetworkPolicy(blueprint));
    const hosts = hostEgress(ownMetadata(blueprint), podSelector(this.name), this.spec.egress);
    if (hosts) this.add('host-egress', hosts);
    this.#addClaims(blueprint);
    if (hasFetchJob(blueprint.spec))
      this.add('fetch', fetchJob(weightsInput(blueprint, blueprint.spec)), { after: ['weights'] });
    this.#addDeployment(blueprint, lifecycle === 'draining');
    if (lifecycle === 'serving') this.#addService(blueprint);
  }

  #addClaims(blueprint: Blueprint): void {
    const claim = (id: string, spec: ModelServingSpec) =>
      this.add(id, weightsClaim(weightsInput(blueprint, spec)), { retain: spec.storage?.retain ?? false });
    if (blueprint.earlier) claim('earlier-weights', blueprint.earlier);
    if (hasWeights(blueprint.spec)) claim('weights', blueprint.spec);
  }

  #addDeployment(blueprint: Blueprint, draining: boolean): void {
    const { spec } = blueprint;
    const replicas = draining || spec.autoscaling ? undefined : spec.replicas;
    this.add('deployment', deployment(blueprint, replicas), {
      after: deploymentWaitsFor(blueprint),
      yields: replicas === undefined ? ['spec.replicas'] : [],
    });
  }

  #addService(blueprint: Blueprint): void {
    const { spec } = blueprint;
    this.add('service', service(blueprint));
    if (canHaveReplicas(spec)) this.add('disruption-budget', disruptionBudget(ownMetadata(blueprint), this.selector));
    if (spec.autoscaling) this.#addAutoscaler(blueprint, spec.autoscaling);
    if (spec.expose?.ingress)
      this.add('ingress', ingress(ownMetadata(blueprint), spec.expose.ingress, backendOf(blueprint)));
    if (spec.expose?.gateway)
      this.add('route', httpRoute(ownMetadata(blueprint), spec.expose.gateway, backendOf(blueprint)));
  }

  #addAutoscaler(blueprint: Blueprint, autoscaling: NonNullable<ModelServingSpec['autoscaling']>): void {
    const { prometheus } = autoscaling;
    const shown = prometheus && takesKeda(autoscaling) ? authenticationOf(prometheus) : undefined;
    if (shown) this.add('trigger-authentication', triggerAuthentication(ownMetadata(blueprint), shown));
    this.add('autoscaler', scaler(blueprint, autoscaling), { after: shown ? ['trigger-authentication'] : [] });
  }
}

/**
 * The pods wait for their own model: for its fetch where a Job does it, else for its volume. No pods wait for none: a
 * volume that is being deleted stays until they are scaled away.
 */
function deploymentWaitsFor({ spec, pods, earlier }: Blueprint): NonNullable<ChildOptions['after']> {
  if (!hasWeights(pods) || spec.replicas === 0) return [];
  if (pods !== spec) return [earlier ? 'earlier-weights' : 'weights'];
  return [hasFetchJob(spec) ? 'fetch' : 'weights'];
}
