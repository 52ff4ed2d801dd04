import { Chart } from 'cdk8s';
import { KIND_LABEL } from '../../../constructs/model-serving/render-input.ts';
import { appWith } from '../../../constructs/model-serving/fetcher-image.ts';
import { ModelServing } from '../../../constructs/model-serving/model-serving.ts';
import { modelServing as definition } from '../../../constructs/model-serving/kind.ts';
import type { ModelServingState } from '../../../constructs/model-serving/state.ts';
import { GROUP, VERSION } from '../../../constructs/schema/kind.ts';
import type { Kind, ResourceType } from '../../engine/api/index.ts';
import { CILIUM_POLICY, NETWORK_POLICY } from '../../engine/api/index.ts';
import { propsOf } from '../shared/naming.ts';
import { reconcile } from './reconcile.ts';
import type { ModelServingSettings } from './reconcile.ts';
import { FIGURES } from './figures.ts';
import { refuse } from './status.ts';
import { HTTP_ROUTE, SCALED_OBJECT, TRIGGER_AUTHENTICATION } from '../shared/trouble.ts';
import type { ModelServingResource } from './observed.ts';

export type { ModelServingResource, ModelServingState };

const type = (group: string, version: string, kind: string, plural: string): ResourceType => ({
  group,
  version,
  kind,
  plural,
});

/** The kind ModelServing, under the settings of the operator. */
export const modelServingWith = (settings: ModelServingSettings): Kind<ModelServingResource, ModelServingState> => ({
  type: type(GROUP, VERSION, definition.kind, definition.plural),
  label: KIND_LABEL,
  childTypes: [
    { ...type('', 'v1', 'ServiceAccount', 'serviceaccounts'), gcOnly: true },
    type('', 'v1', 'ConfigMap', 'configmaps'),
    type('', 'v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
    type('', 'v1', 'Service', 'services'),
    type('apps', 'v1', 'Deployment', 'deployments'),
    type('batch', 'v1', 'Job', 'jobs'),
    NETWORK_POLICY,
    type('networking.k8s.io', 'v1', 'Ingress', 'ingresses'),
    type('policy', 'v1', 'PodDisruptionBudget', 'poddisruptionbudgets'),
    type('autoscaling', 'v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers'),
    { ...SCALED_OBJECT, optional: true },
    { ...TRIGGER_AUTHENTICATION, optional: true },
    { ...HTTP_ROUTE, optional: true },
    { ...CILIUM_POLICY, optional: true },
  ],
  // A drain comes before the end.
  finalizer: `${GROUP}/drain`,
  permissions: ['remove-pods'],
  figures: FIGURES,
  reconcile: (snapshot, now) => reconcile(snapshot, now, settings),
  render: (resource, state) =>
    new ModelServing(new Chart(appWith(settings.fetcherImage), 'operator'), 'resource', {
      ...propsOf(resource),
      state,
    }).render(),
  refuse,
});

/** The kind ModelServing, where nothing is set. */
export const modelServing = modelServingWith({});
