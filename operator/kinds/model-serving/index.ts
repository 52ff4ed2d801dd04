import { Chart } from 'cdk8s';
import { KIND_LABEL } from '../../../constructs/model-serving/render-input.ts';
import { appWith } from '../../../constructs/model-serving/fetcher-image.ts';
import { ModelServing } from '../../../constructs/model-serving/model-serving.ts';
import { modelServing as definition } from '../../../constructs/model-serving/kind.ts';
import type { ModelServingState } from '../../../constructs/model-serving/state.ts';
import { GROUP } from '../../../constructs/schema/kind.ts';
import type { Kind } from '../../engine/api/index.ts';
import { TYPES } from '../../kube/index.ts';
import { propsOf } from '../shared/naming.ts';
import { HTTP_ROUTE, SCALED_OBJECT } from '../shared/extension-types.ts';
import { typeOf } from '../shared/type.ts';
import { reconcile } from './reconcile.ts';
import type { ModelServingSettings } from './reconcile.ts';
import { FIGURES } from './figures.ts';
import { phaseOf } from './phase.ts';
import { refuseKeeping } from '../shared/refusal.ts';
import type { ModelServingResource } from './observed.ts';

export type { ModelServingResource, ModelServingState };

/** The kind ModelServing, under the settings of the operator. */
export const modelServingWith = (settings: ModelServingSettings): Kind<ModelServingResource, ModelServingState> => ({
  type: typeOf(definition),
  label: KIND_LABEL,
  childTypes: [
    { ...TYPES.serviceAccount, gcOnly: true },
    TYPES.configMap,
    TYPES.persistentVolumeClaim,
    TYPES.service,
    TYPES.deployment,
    TYPES.job,
    TYPES.networkPolicy,
    TYPES.ingress,
    TYPES.podDisruptionBudget,
    TYPES.horizontalPodAutoscaler,
    SCALED_OBJECT,
    { ...TYPES.triggerAuthentication, optional: true },
    HTTP_ROUTE,
    { ...TYPES.ciliumNetworkPolicy, optional: true },
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
  refuse: refuseKeeping('WeightsReady', phaseOf),
});

/** The kind ModelServing, where nothing is set. */
export const modelServing = modelServingWith({});
