import { z } from 'zod';
import { withRules } from '../schema/rules.ts';

/** An amount in Kubernetes' notation, greater than zero: `500m`, `8`, `64Gi`. A whole number may be written as one. */
export const quantity = withRules(z.union([z.int(), z.string().min(1).max(32)]), {
  rule: "type(self) == int ? self > 0 : isQuantity(self) && quantity(self).isGreaterThan(quantity('0'))",
  message: 'must be an amount greater than zero in Kubernetes\' notation, for instance "500m", "8" or "64Gi"',
});
