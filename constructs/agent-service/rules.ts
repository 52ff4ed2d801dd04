import { containerRules, RESERVED_ENV, drainRules, nameRules, scalingRules } from '../parts/pod/schema.ts';
import type { Rule } from '../schema/rules.ts';
import { BASE_URL_VARIABLE, VARIABLES } from './variables.ts';

/** The longest name: that of a Service, and a label's value. No name that derives from it is bounded as tightly. */
export const MAX_NAME_LENGTH = 63;

/** The name of the container that runs the agent. */
export const AGENT = 'agent';

/** Rules of the resource as a whole. */
export const resourceRules: readonly Rule[] = nameRules(MAX_NAME_LENGTH);

const modelRules: readonly Rule[] = [
  {
    rule: 'has(self.model) != has(self.modelRef)',
    fieldPath: '.model',
    message:
      'exactly one of model and modelRef must be given: model names what a provider serves, modelRef a ModelServing of the same namespace',
  },
];

const PATCHED = 'has(self.podTemplate) && has(self.podTemplate.spec) && has(self.podTemplate.spec.containers)';

/** The lists that name variables of the agent beside `credentials`, with the expression for "none of them is …". */
const envLists = (isBad: string) => [
  { path: '.env', rule: `!has(self.env) || !self.env.exists(v, ${isBad})` },
  {
    path: '.podTemplate.spec.containers',
    rule: `!(${PATCHED}) || !self.podTemplate.spec.containers.exists(c, c.name == '${AGENT}' && has(c.env) && c.env.exists(v, ${isBad}))`,
  },
];

/** Names that only agents have; those that the variables of any container must not have are refused there. */
const OWN = Object.entries(VARIABLES).filter(([name]) => !RESERVED_ENV.some((reserved) => reserved === name));

const variableRules: readonly Rule[] = [
  ...envLists(`v.name in [${OWN.map(([name]) => `'${name}'`).join(', ')}]`).map(({ path, rule }) => ({
    rule,
    fieldPath: path,
    message: `must not set ${OWN.map(([name]) => name).join(', ')}: they follow from ${OWN.map(([, field]) => field).join(', ')}`,
  })),
  ...[
    ...envLists(`v.name == '${BASE_URL_VARIABLE}'`),
    {
      path: '.credentials',
      rule: `!has(self.credentials) || !self.credentials.exists(c, c.env == '${BASE_URL_VARIABLE}')`,
    },
  ].map(({ path, rule }) => ({
    rule: `!has(self.modelRef) || (${rule})`,
    fieldPath: path,
    message: `must not set ${BASE_URL_VARIABLE} where modelRef is given, from which it follows`,
  })),
  {
    rule: '!has(self.credentials) || !has(self.env) || !self.credentials.exists(c, self.env.exists(v, v.name == c.env))',
    fieldPath: '.credentials',
    message: 'must not set a variable that env sets too: leave it out in one of them',
  },
];

/** Rules of `spec`, about fields that concern each other. */
export const specRules: readonly Rule[] = [
  ...modelRules,
  ...scalingRules,
  ...drainRules,
  ...containerRules({ containers: [{ name: AGENT }], initContainers: [] }),
  ...variableRules,
];

/** Rules of `spec.autoscaling`. */
export const autoscalingRules: readonly Rule[] = [
  {
    rule: '!has(self.targets.queueDepth) || has(self.queue)',
    fieldPath: '.queue',
    message:
      'is required by targets.queueDepth, which counts what waits in it: without a source, nothing would ever scale',
  },
  {
    rule: '!has(self.queue) || has(self.targets.queueDepth)',
    fieldPath: '.targets.queueDepth',
    message: 'is required where queue is given: how many tasks one replica is to have, or leave out queue',
  },
  {
    rule: 'self.minReplicas > 0 || has(self.targets.queueDepth)',
    fieldPath: '.minReplicas',
    message: 'must be at least 1 without targets.queueDepth: CPU is not used by replicas that are not there',
  },
];

/** Rules of `spec.autoscaling.targets`. */
export const targetsRules: readonly Rule[] = [
  {
    rule: 'has(self.cpuPercent) || has(self.queueDepth)',
    message: 'must have at least one of cpuPercent and queueDepth',
  },
];

/** Rules of `spec` in hosts that have no operator. */
export const staticRules: readonly Rule[] = [
  {
    rule: '!has(self.modelRef)',
    fieldPath: '.modelRef',
    message:
      'is looked up by the operator: here give the ModelServing construct itself as model, or a name as model and its address as OPENAI_BASE_URL in env',
  },
];
