import { podFields, resources, securityFields, securityRules } from '../../constructs/parts/pod/schema.ts';
import { withRules } from '../../constructs/schema/rules.ts';

/** How far pods are locked in: theirs ran as their image said, so that is what they do where nobody says. */
const security = withRules(
  securityFields.extend({ level: securityFields.shape.level.unwrap().default('baseline') }),
  ...securityRules,
);

/** What pods of an earlier kind may have, by the names and in the form that it has in the kinds of ours. */
export const samePodFields = {
  ...podFields,
  security: security.describe('How far the pods are locked in. Default: baseline.').optional(),
  egress: podFields.egress
    .unwrap()
    .describe(
      'What the pods may reach beside DNS and what follows from the rest of the spec; an empty list is nothing else. Default: any address but the metadata services of clouds.',
    )
    .optional(),
};

const { gpuResource, gpuProduct } = resources.shape;

/** Which GPUs, where it matters: as in the kinds of ours. */
export const sameGpuFields = {
  gpuResource: gpuResource
    .unwrap()
    .describe(
      'The extended resource that is counted as a GPU: a MIG profile (nvidia.com/mig-1g.10gb), another vendor (amd.com/gpu) or a time-sliced name. Default: nvidia.com/gpu.',
    )
    .optional(),
  gpuProduct,
};
