import { describe, expect, test } from 'vitest';
import { agentService } from '../../constructs/agent-service/kind.ts';
import { modelServing } from '../../constructs/model-serving/kind.ts';
import { canonicalQuantity } from '../../constructs/parts/values/quantity.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import * as agentServices from '../examples/agent-service/accepted.ts';
import * as refusedAgentServices from '../examples/agent-service/refused.ts';
import * as modelServings from '../examples/model-serving/accepted.ts';
import * as refusedModelServings from '../examples/model-serving/refused.ts';
import { agentServiceArbitrary } from '../support/arbitrary-agent-service.ts';
import { modelServingArbitrary, resourceName } from '../support/arbitrary-model-serving.ts';
import { adminClient } from './support/client.ts';
import { describeCrd } from './support/crd.ts';

const admin = adminClient();

describeCrd({
  kind: modelServing,
  accepted: modelServings.accepted,
  refused: refusedModelServings.refused,
  names: resourceName,
  specs: modelServingArbitrary,
});

describeCrd({
  kind: agentService,
  accepted: agentServices.accepted,
  refused: refusedAgentServices.refused,
  names: resourceName,
  specs: agentServiceArbitrary,
});

describe('the API server', () => {
  test.each(['0.5', '2000m', '1024Mi', '1.5Gi', '0.5Ki', '1.0001Ki', '1e3', '12e5', '1000000Ki', '100000000n'])(
    'writes %s as canonicalQuantity does',
    async (amount) => {
      const spec = { limits: [{ type: 'Container', max: { memory: amount } }] };
      const metadata = { name: 'quantity', namespace: 'default' };
      const body = { apiVersion: 'v1', kind: 'LimitRange', metadata, spec };
      const stored = await admin.create(TYPES.limitRange, body, { dryRun: true });
      expect(stored).toMatchObject({ spec: { limits: [{ max: { memory: canonicalQuantity(amount) } }] } });
    },
  );
});
