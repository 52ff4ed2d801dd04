import * as z from 'zod';
import { withRules } from '../../schema/rules.ts';

/** Numbers beyond 2^53 are rounded by whatever JavaScript reads them; a text is not. */
const LARGEST_NUMBER = 999_999_999_999_999;

/** An amount in Kubernetes' notation, greater than zero: `500m`, `8`, `64Gi`. A whole number may be written as one. */
export const quantity = withRules(z.union([z.int().max(LARGEST_NUMBER), z.string().min(1).max(32)]), {
  rule: "type(self) == int ? self > 0 : isQuantity(self) && quantity(self).isGreaterThan(quantity('0'))",
  message: 'must be an amount greater than zero in Kubernetes\' notation, for instance "500m", "8" or "64Gi"',
});
