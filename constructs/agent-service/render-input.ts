import { labelsOf, selectorLabels, namedLabels } from '../parts/objects/index.ts';
import type { Identity, Labels, Naming } from '../parts/objects/index.ts';
import type { Manifest } from '../workload.ts';
import type { ServedModel } from './state.ts';
import type { AgentServiceSpec } from './spec.ts';

/** The value of `app.kubernetes.io/name` on all that an AgentService is made of. */
export const KIND_LABEL = 'agent-service';

/** The port that the agent listens on. */
export const CONTAINER_PORT = 8000;

/** The port of the Service. */
export const SERVICE_PORT = 80;

/** What an AgentService is made from, once its spec is valid. */
export interface RenderInput {
  readonly name: string;
  readonly namespace: string;
  readonly spec: AgentServiceSpec;
  /** What `modelRef` leads to; absent where there is none, or where nobody knows yet. */
  readonly model: ServedModel | undefined;
  /** A hash of the Secrets and ConfigMaps that the pods refer to, once one has changed. */
  readonly referencesHash: string | undefined;
  readonly naming?: Naming | undefined;
}

const identityOf = (name: string): Identity => ({ kind: KIND_LABEL, name, component: 'agent' });

/** What selects the pods of an agent. */
export const agentSelector = (name: string): Labels => selectorLabels(identityOf(name));

/** The labels of all objects and pods of an agent. */
export const agentLabels = ({ name, naming }: Pick<RenderInput, 'name' | 'naming'>): Labels =>
  namedLabels(labelsOf(identityOf(name)), naming);

/** Of an object that bears the agent's own name. */
export const ownMetadata = (input: RenderInput): Manifest['metadata'] => ({
  name: input.name,
  namespace: input.namespace,
  labels: agentLabels(input),
});

/** The Service that clients ask. */
export const serviceNameOf = (name: string, naming?: Naming): string => naming?.service ?? name;

/** Where clients inside the cluster ask. */
export const urlOf = (name: string, namespace: string, naming?: Naming): string =>
  `http://${serviceNameOf(name, naming)}.${namespace}.svc`;

/** Whether there may ever be more than one replica. */
export const canHaveReplicas = ({ autoscaling, replicas = 2 }: AgentServiceSpec): boolean =>
  (autoscaling?.maxReplicas ?? replicas) > 1;
