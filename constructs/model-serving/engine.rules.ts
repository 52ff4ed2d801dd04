import type { Rule } from '../schema/rules.ts';
import { celList } from './engine.cel.ts';
import { ENGINES, ENGINE_ARGUMENTS, type EngineType } from './engines.ts';
import type { MetricNames } from './engine.ts';
import { ENGINE_TABLE } from './engine.table.ts';

/**
 * Argument names as a regular expression: with a value behind `=` or without, with `-` or `_` in the name. A dot stands
 * for both, since the API server counts the length of an expression as cost.
 */
const argumentPattern = (names: readonly string[]): string =>
  `^(${names.map((name) => name.replaceAll(/(?<=\w)-/g, '.')).join('|')})(=|$)`;

const reservedArguments = (type: EngineType): readonly Rule[] => {
  const names = ENGINE_ARGUMENTS[type];
  if (names.length === 0) return [];
  return [
    {
      rule: `self.type != '${type}' || !has(self.args) || !self.args.exists(a, a.matches('${argumentPattern(names)}'))`,
      fieldPath: '.args',
      message: `must have none of ${names.join(', ')}: they follow from the rest of the spec`,
    },
  ];
};

/** An engine has ports of its own beside the one that it serves on. */
const takenPorts = (type: EngineType): readonly Rule[] => {
  const { grpcPort, metrics } = ENGINE_TABLE[type];
  const taken = [grpcPort, metrics?.port].filter((port) => port !== undefined);
  if (taken.length === 0) return [];
  return [
    {
      rule: `self.type != '${type}' || !has(self.port) || !(self.port in [${taken.join(', ')}])`,
      fieldPath: '.port',
      message: `must not be ${taken.join(' or ')}, which ${type} uses for gRPC and metrics: choose another port`,
    },
  ];
};

/** Rules of `spec.engine`. */
export const engineRules: readonly Rule[] = [
  {
    rule: "self.type != 'custom' || has(self.image)",
    fieldPath: '.image',
    message: 'is required where engine.type is custom, which has no image of its own',
  },
  {
    rule: "self.type == 'custom' || !has(self.command)",
    fieldPath: '.command',
    message: 'is for engine.type custom only: give engine.args, or choose custom and say the whole command',
  },
  {
    rule: "self.type != 'custom' || !has(self.ipFamily)",
    fieldPath: '.ipFamily',
    message: 'must be left out where engine.type is custom: say by engine.command or engine.args where it listens',
  },
  {
    // A container gets each item as it is: no shell splits it, and the engine knows no argument of that name.
    rule: "self.type == 'custom' || !has(self.args) || !self.args.exists(a, a.matches('^--[A-Za-z0-9_.-]+ '))",
    fieldPath: '.args',
    message:
      'must have an argument and its value apart: "--max-model-len", "4096", or in one as "--max-model-len=4096"',
  },
  ...ENGINES.flatMap(reservedArguments),
  ...ENGINES.flatMap(takenPorts),
];

/** What an autoscaler can aim at, and which of an engine's metrics it takes. */
const METRIC_OF = {
  ttftMilliseconds: 'timeToFirstToken',
  itlMilliseconds: 'interTokenLatency',
  queueDepth: 'waiting',
  runningRequests: 'running',
  kvCachePercent: 'kvCacheUsage',
} as const satisfies Record<string, keyof MetricNames>;

type Target = keyof typeof METRIC_OF;
const TARGETS = Object.keys(METRIC_OF) as readonly Target[];

const publishes = (type: EngineType, target: Target): boolean =>
  ENGINE_TABLE[type].metrics?.names[METRIC_OF[target]] !== undefined;

const targetsByEngine = ENGINES.map((type) => {
  const targets = [...TARGETS.filter((target) => publishes(type, target)), 'cpuPercent'];
  return `'${type}': '${targets.join(', ')}'`;
}).join(', ');

/** Rules of `spec` about the metrics that an engine publishes. */
export const targetRules: readonly Rule[] = TARGETS.map((target) => {
  const having = ENGINES.filter((type) => publishes(type, target));
  const given = `has(self.autoscaling) && has(self.autoscaling.targets.${target})`;
  return {
    rule: `!(${given}) || self.engine.type in ${celList(having)}`,
    fieldPath: `.autoscaling.targets.${target}`,
    message: `is a target for ${having.join(', ')} only, since other engines publish no metric for it`,
    messageExpression: `'engine.type ' + self.engine.type + ' publishes no metric for it; its targets are ' + {${targetsByEngine}}[self.engine.type]`,
  };
});

/** Rules of `spec` about the name that clients ask for. */
export const servedNameRules: readonly Rule[] = [
  {
    // Its paths are /v1/models/NAME/versions/1 and /v1/models/NAME:predict (TensorFlow Serving 2.19.1, http_rest_api_util.cc).
    rule: "self.engine.type != 'tensorflow-serving' || !has(self.model.name) || !self.model.name.matches('[/:]')",
    fieldPath: '.model.name',
    message:
      'must have no "/" and no ":" with tensorflow-serving, in whose paths they end the name: choose another name',
  },
];

const runsAsImage =
  "self.security.level != 'restricted' && (!has(self.security.ids) || self.security.ids == 'fixed') && (!has(self.security.runAsUser) || self.security.runAsUser == 0)";

/** Rules of `spec` about whom an engine can run as. */
export const userRules: readonly Rule[] = [
  {
    // Dockerfile of TGI 3.3.7: `uv` puts the Python that the server runs into /root/.local/share/uv, and /root is root's alone.
    rule: `self.engine.type != 'tgi' || has(self.engine.image) || ${runsAsImage}`,
    fieldPath: '.security.level',
    message:
      'must be baseline, without another runAsUser, with the image of tgi: its Python lies under /root, where no other user reaches it. Or give engine.image one that any user can run, or choose vllm or sglang',
  },
];
