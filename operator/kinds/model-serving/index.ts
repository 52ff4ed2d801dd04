import { KIND_LABEL } from '../../../constructs/model-serving/render-input.ts';
import { setFetcherImage } from '../../../constructs/model-serving/fetcher-image.ts';
import { ModelServing } from '../../../constructs/model-serving/model-serving.ts';
import { modelServing as definition } from '../../../constructs/model-serving/kind.ts';
import type { ModelServingState } from '../../../constructs/model-serving/state.ts';
import { GROUP } from '../../../constructs/schema/kind.ts';
import { TYPES } from '../../kube/index.ts';
import { propsOf } from '../shared/naming.ts';
import { AROUND_SERVERS, LEADER_WORKER_SETS } from '../shared/extension-types.ts';
import { defineKind } from '../../runtime/index.ts';
import { reconcile } from './reconcile.ts';
import type { ModelServingSettings } from './reconcile.ts';
import { FIGURES } from './figures.ts';
import { phaseOf } from './phase.ts';
import { refuseKeeping } from '../shared/refusal.ts';
import type { ModelServingResource } from './observed.ts';

export type { ModelServingResource, ModelServingState };

/** The kind ModelServing, under the settings of the operator. */
export const modelServingWith = (settings: ModelServingSettings) =>
  defineKind({
    schema: definition,
    label: KIND_LABEL,
    children: [
      { ...TYPES.serviceAccount, gcOnly: true },
      TYPES.configMap,
      TYPES.persistentVolumeClaim,
      TYPES.service,
      TYPES.deployment,
      TYPES.job,
      LEADER_WORKER_SETS,
      ...AROUND_SERVERS,
    ],
    // A drain comes before the end.
    finalizer: `${GROUP}/drain`,
    permissions: ['remove-pods', 'read-secrets'],
    figures: FIGURES,
    reconcile: (view) => reconcile(view, view.now, settings),
    construct: (scope, { resource, state }) => {
      setFetcherImage(scope, settings.fetcherImage);
      return new ModelServing(scope, 'resource', { ...propsOf(resource), state });
    },
    refuse: refuseKeeping('WeightsReady', phaseOf),
  });

/** The kind ModelServing, where nothing is set. */
export const modelServing = modelServingWith({});
