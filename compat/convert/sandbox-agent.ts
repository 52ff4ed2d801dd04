import type { Reader } from './conversion.ts';
import { below, changed, taken, reported } from './fates.ts';
import type { Fates } from './fates.ts';
import { agentFates, kagentAgent, readAgent } from './kagent.ts';
import { ENV_FATES } from './pod-fates.ts';

const CONTAINER = 'spec.podTemplate.spec.containers';

/** At v1alpha3 an agent has no deployment: its image and variables stand by themselves. */
const OWN: Fates = {
  image: taken('spec.image'),
  cmd: changed(`${CONTAINER}.command`, 'takes the place of the entry point, as one word'),
  args: taken(`${CONTAINER}.args`),
  env: taken('spec.env'),
  ...below('env', ENV_FATES),
  imageRegistry: reported('image names its registry'),
};

/**
 * kagent's SandboxAgent, an Agent that runs on Agent Substrate: kagent-dev/kagent at 5229184e, v1alpha3 and v1alpha2 of
 * go/api/config/crd/bases/kagent.dev_sandboxagents.yaml. At v1alpha2 it has the fields of an Agent.
 */
export const sandboxAgent: Reader = {
  ...kagentAgent,
  kind: 'SandboxAgent',
  fates: {
    ...agentFates,
    ...below('spec.byo', OWN),
    ...below('spec.declarative', OWN),
    'spec.substrate': reported('agents are pods here, in a sandbox where runtimeClassName names one (gvisor, kata)'),
  },
  read(fields) {
    const isOld = ['byo', 'declarative'].some((type) => fields.peek(`spec.${type}.deployment`) !== undefined);
    fields.report(
      'spec.runtimeClassName',
      'names the sandbox, where the cluster has one: kagent ran the agent in its own',
    );
    return readAgent(fields, isOld ? 'deployment' : '');
  },
};
