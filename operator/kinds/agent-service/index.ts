import { App, Chart } from 'cdk8s';
import { AgentService } from '../../../constructs/agent-service/agent-service.ts';
import { KIND_LABEL } from '../../../constructs/agent-service/render-input.ts';
import { agentService as definition } from '../../../constructs/agent-service/kind.ts';
import type { AgentServiceState } from '../../../constructs/agent-service/state.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { GROUP, VERSION } from '../../../constructs/schema/kind.ts';
import type { Kind, ResourceType } from '../../engine/api/index.ts';
import { CILIUM_POLICY, NETWORK_POLICY } from '../../engine/api/index.ts';
import { HTTP_ROUTE, SCALED_OBJECT, TRIGGER_AUTHENTICATION } from '../shared/trouble.ts';
import { propsOf } from '../shared/naming.ts';
import { reconcile } from './reconcile.ts';
import { FIGURES } from './figures.ts';
import { referencesOf } from './model.ts';
import { refuse } from './status.ts';
import type { AgentServiceResource } from './observed.ts';

export type { AgentServiceResource, AgentServiceState };

const type = (group: string, version: string, kind: string, plural: string): ResourceType => ({
  group,
  version,
  kind,
  plural,
});

/** The kind AgentService. It needs no finalizer: its pods end their runs by themselves when they are stopped. */
export const agentService: Kind<AgentServiceResource, AgentServiceState> = {
  type: type(GROUP, VERSION, definition.kind, definition.plural),
  label: KIND_LABEL,
  childTypes: [
    { ...type('', 'v1', 'ServiceAccount', 'serviceaccounts'), gcOnly: true },
    type('', 'v1', 'ConfigMap', 'configmaps'),
    type('', 'v1', 'Service', 'services'),
    type('apps', 'v1', 'Deployment', 'deployments'),
    NETWORK_POLICY,
    type('networking.k8s.io', 'v1', 'Ingress', 'ingresses'),
    type('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
    type('autoscaling', 'v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers'),
    { ...SCALED_OBJECT, optional: true },
    { ...TRIGGER_AUTHENTICATION, optional: true },
    { ...HTTP_ROUTE, optional: true },
    { ...CILIUM_POLICY, optional: true },
  ],
  refersTo: [type(GROUP, VERSION, modelServing.kind, modelServing.plural)],
  references: referencesOf,
  figures: FIGURES,
  reconcile,
  render: (resource, state) =>
    new AgentService(new Chart(new App(), 'operator'), 'resource', { ...propsOf(resource), state }).render(),
  refuse,
};
