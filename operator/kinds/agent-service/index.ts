import { AgentService } from '../../../constructs/agent-service/agent-service.ts';
import { KIND_LABEL } from '../../../constructs/agent-service/render-input.ts';
import { agentService as definition } from '../../../constructs/agent-service/kind.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { TYPES } from '../../kube/index.ts';
import { propsOf } from '../shared/naming.ts';
import { AROUND_SERVERS } from '../shared/extension-types.ts';
import { defineKind } from '../../runtime/index.ts';
import { typeOf } from '../shared/type.ts';
import { reconcile } from './reconcile.ts';
import { FIGURES } from './figures.ts';
import { referencesOf } from './model.ts';
import { refuseKeeping } from '../shared/refusal.ts';
import { phaseOf } from './phase.ts';
import type { AgentServiceResource } from './observed.ts';

export type { AgentServiceResource };

/** The kind AgentService. It needs no finalizer: its pods end their runs by themselves when they are stopped. */
export const agentService = defineKind({
  schema: definition,
  label: KIND_LABEL,
  children: [
    { ...TYPES.serviceAccount, gcOnly: true },
    TYPES.configMap,
    TYPES.service,
    TYPES.deployment,
    ...AROUND_SERVERS,
  ],
  refersTo: [typeOf(modelServing)],
  references: referencesOf,
  permissions: ['read-secrets'],
  figures: FIGURES,
  updatedField: 'lastUpdated',
  reconcile: (view) => reconcile(view, view.now),
  construct: (scope, { resource, state }) => new AgentService(scope, 'resource', { ...propsOf(resource), state }),
  refuse: refuseKeeping('ResolvedRefs', phaseOf),
});
