/** The engine's functions as Trunnion's own operator calls them: most tests are about it, or about nobody's names. */
import type { RenderedChild } from '../../constructs/workload.ts';
import * as api from '../../operator/engine/api/index.ts';
import type { ObservedChild, Resource } from '../../operator/engine/api/index.ts';
import * as observe from '../../operator/engine/observe/index.ts';
import * as plan from '../../operator/engine/plan/index.ts';
import * as stalled from '../../operator/engine/reconcile/stalled.ts';
import { distributedTraining } from '../../operator/kinds/distributed-training/index.ts';
import { modelServing } from '../../operator/kinds/model-serving/index.ts';
import { TRUNNION } from '../../operator/trunnion.ts';
import type { KubeObject } from '../../operator/kube/index.ts';

/** With what the kinds say of the types of their children. */
export const OBSERVER = observe.observerOf(TRUNNION, [...modelServing.childTypes, ...distributedTraining.childTypes]);

export const observeChild = (object: KubeObject, known?: ObservedChild): ObservedChild =>
  observe.observeChild(object, OBSERVER, known);

export const observePod = (object: KubeObject) => observe.observePod(object, TRUNNION);

export const decorate = (child: RenderedChild, owner: Pick<Resource, 'apiVersion' | 'kind' | 'metadata'>) =>
  plan.decorate(child, owner, { label: 'widget' }, TRUNNION);

export const isLeftAlone = (resource: Pick<Resource, 'metadata' | 'status'>) => api.isLeftAlone(resource, TRUNNION);

export const pausedStatus = (resource: Pick<Resource, 'metadata' | 'status'>, now: number) =>
  api.pausedStatus(resource, TRUNNION, now);

export const setAside = (resource: Pick<Resource, 'metadata'>) => stalled.setAside(resource, TRUNNION);

export const isSetAside = (resource: Pick<Resource, 'metadata' | 'status'>) => stalled.isSetAside(resource, TRUNNION);
