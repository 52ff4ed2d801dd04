import { containerRules, RESERVED_ENV, nameRules } from '../parts/pod/schema.ts';
import { MODEL_URI_FORMS } from '../parts/weights/index.ts';
import type { Rule } from '../schema/rules.ts';
import { FRAMEWORKS, reservedEnv } from './frameworks.ts';
import { MAX_NAME_LENGTH, MAX_SEARCH_NAME_LENGTH } from './limits.ts';
import { OWN_VOLUMES, TRAINER, WAIT } from './parts.ts';

const celList = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(', ')}]`;

/** Rules of the resource as a whole. */
export const resourceRules: readonly Rule[] = [
  ...nameRules(MAX_NAME_LENGTH),
  {
    rule: `!has(self.spec.tuning) || self.metadata.name.size() <= ${MAX_SEARCH_NAME_LENGTH} || self.metadata.name.size() > ${MAX_NAME_LENGTH}`,
    fieldPath: '.metadata.name',
    message: `must have at most ${MAX_SEARCH_NAME_LENGTH} characters with tuning, so that the names of its trials fit: choose a shorter name`,
  },
];

/** Rules of `spec.checkpoint.uri`: the scheme, then the form of each. */
export const checkpointRules: readonly Rule[] = [
  {
    rule: "self.matches('^(s3|gs|pvc)://')",
    message: 'must begin with one of s3://, gs://, pvc://',
  },
  {
    rule: "self.matches('^[-A-Za-z0-9._~:/!@+=]*$')",
    message: 'must be letters, digits and "-._~:/!@+=" only, since programs and shells read it',
  },
  ...MODEL_URI_FORMS.filter(({ scheme }) => scheme === 's3' || scheme === 'gs' || scheme === 'pvc').map(
    ({ scheme, form, pattern }) => ({
      rule: `!self.startsWith('${scheme}://') || self.matches(r'^${pattern}$')`,
      message: `must have the form ${form}`,
    }),
  ),
];

/** Rules of `spec.elastic`. */
export const elasticRules: readonly Rule[] = [
  {
    rule: 'self.minReplicas <= self.maxReplicas',
    fieldPath: '.minReplicas',
    message: 'must not be greater than maxReplicas: lower minReplicas or raise maxReplicas',
  },
];

/** Rules of `spec.hyperparameters`. */
export const hyperparameterRules: readonly Rule[] = [
  {
    rule: "self.all(k, k.size() <= 128 && k.matches('^[A-Za-z_][A-Za-z0-9_]*$'))",
    message: 'each key must be the name of a variable: at most 128 letters, digits and "_", not beginning with a digit',
  },
  {
    rule: `!${celList(RESERVED_ENV)}.exists(n, n in self) && !self.exists(k, k.startsWith('TRUNNION_'))`,
    message: `must not set ${RESERVED_ENV.join(', ')} and no name that begins with TRUNNION_: Trunnion sets them`,
  },
];

const PATCH = 'self.podTemplate.spec';
const patched = (field: string): string => `has(self.podTemplate) && has(${PATCH}) && has(${PATCH}.${field})`;

/** The variables by which ranks find each other follow from the spec, wherever a user might set them. */
const reservedRules: readonly Rule[] = FRAMEWORKS.flatMap((framework) => {
  const names = reservedEnv(framework);
  const list = celList(names);
  const message = `must not set ${names.join(', ')}: with ${framework} they follow from the rest of the spec`;
  return [
    { path: '.env', bad: `has(self.env) && self.env.exists(v, v.name in ${list})` },
    { path: '.hyperparameters', bad: `has(self.hyperparameters) && ${list}.exists(n, n in self.hyperparameters)` },
    {
      path: '.podTemplate.spec.containers',
      bad: `${patched('containers')} && ${PATCH}.containers.exists(c, c.name == '${TRAINER}' && has(c.env) && c.env.exists(v, v.name in ${list}))`,
    },
  ].map(({ path, bad }) => ({ rule: `self.framework != '${framework}' || !(${bad})`, fieldPath: path, message }));
});

const variableRules: readonly Rule[] = [
  ...reservedRules,
  {
    rule: '!has(self.env) || !has(self.hyperparameters) || !self.env.exists(v, v.name in self.hyperparameters)',
    fieldPath: '.hyperparameters',
    message: 'must not set a variable that env sets too: leave it out in one of them',
  },
];

const onlyFor = (field: string, framework: string): Rule => ({
  rule: `!has(self.${field}) || self.framework == '${framework}'`,
  fieldPath: `.${field}`,
  message: `is for framework ${framework} only: leave it out`,
});

const frameworkRules: readonly Rule[] = [
  onlyFor('elastic', 'pytorch'),
  onlyFor('tensorflow', 'tensorflow'),
  onlyFor('mxnet', 'mxnet'),
  onlyFor('mpi', 'mpi'),
  {
    rule: "self.framework != 'mpi' || has(self.command)",
    fieldPath: '.command',
    message: 'is required with mpi, whose launcher runs it: mpirun with its arguments',
  },
];

const scalingRules: readonly Rule[] = [
  {
    rule: '!has(self.elastic) || self.replicas >= self.elastic.minReplicas && self.replicas <= self.elastic.maxReplicas',
    fieldPath: '.replicas',
    message: 'must be from elastic.minReplicas to elastic.maxReplicas',
  },
];

/** Of `spec` and not of `spec.retry`, since the API server holds the default of that against its rules. */
const retryRules: readonly Rule[] = [
  {
    rule: 'self.retry.backoffSeconds <= self.retry.maxBackoffSeconds',
    fieldPath: '.retry.backoffSeconds',
    message: 'must not be greater than maxBackoffSeconds: lower backoffSeconds or raise maxBackoffSeconds',
  },
];

const gangRules: readonly Rule[] = [
  {
    rule: "!has(self.gang) || self.gang.scheduler != 'kueue' || has(self.queue)",
    fieldPath: '.queue',
    message: 'is required by gang.scheduler kueue, which starts what a queue admits',
  },
  {
    rule: `!has(self.gang) || self.gang.scheduler != 'volcano' || !(${patched('schedulerName')})`,
    fieldPath: '.podTemplate.spec.schedulerName',
    message: "must be left out with gang.scheduler volcano, which is the pods' scheduler",
  },
];

const podRules: readonly Rule[] = [
  {
    rule: `!has(self.checkpoint) || !(${patched('terminationGracePeriodSeconds')}) || ${PATCH}.terminationGracePeriodSeconds >= self.checkpoint.graceSeconds`,
    fieldPath: '.podTemplate.spec.terminationGracePeriodSeconds',
    message: 'must be at least checkpoint.graceSeconds, or a checkpoint that is being saved is cut off',
  },
  {
    rule: `!(${patched('volumes')}) || !${PATCH}.volumes.exists(v, v.name in ${celList(OWN_VOLUMES)})`,
    fieldPath: '.podTemplate.spec.volumes',
    message: `must not have the names ${OWN_VOLUMES.join(', ')}, which are volumes of Trunnion's own`,
  },
  ...containerRules({
    containers: [{ name: TRAINER }],
    initContainers: [{ name: WAIT, where: { rule: "self.framework == 'mpi'", words: 'with mpi' } }],
  }),
];

const searchRules: readonly Rule[] = [
  {
    rule: '!has(self.tuning) || !has(self.objective)',
    fieldPath: '.objective',
    message: 'must be left out with tuning, which has an objective of its own',
  },
  {
    rule: 'has(self.tuning) == has(oldSelf.tuning)',
    fieldPath: '.tuning',
    message: 'can neither be added nor removed: make a new resource',
  },
  ...[
    { by: 'env', bad: 'has(self.env) && self.env.exists(v, v.name in self.tuning.parameters)' },
    {
      by: 'hyperparameters',
      bad: 'has(self.hyperparameters) && self.hyperparameters.exists(k, k in self.tuning.parameters)',
    },
  ].map(({ by, bad }) => ({
    rule: `!has(self.tuning) || !(${bad})`,
    fieldPath: '.tuning.parameters',
    message: `must not name a variable that ${by} sets too: leave it out in one of them`,
  })),
  ...FRAMEWORKS.map((framework) => ({
    rule: `!has(self.tuning) || self.framework != '${framework}' || !${celList(reservedEnv(framework))}.exists(n, n in self.tuning.parameters)`,
    fieldPath: '.tuning.parameters',
    message: `must not name ${reservedEnv(framework).join(', ')}: with ${framework} they follow from the rest of the spec`,
  })),
];

/** Rules of `spec`, about fields that concern each other. */
export const specRules: readonly Rule[] = [
  ...frameworkRules,
  ...scalingRules,
  ...retryRules,
  ...gangRules,
  ...variableRules,
  ...podRules,
  ...searchRules,
];

/** Rules of `spec` in hosts that have no operator. */
export const staticRules: readonly Rule[] = [
  {
    rule: '!has(self.tuning)',
    fieldPath: '.tuning',
    message:
      'needs the operator, which waits for results: leave it out here, or run it as a custom resource under the operator',
  },
  {
    rule: "self.framework != 'mpi' || has(self.mpi) && has(self.mpi.sshSecretName)",
    fieldPath: '.mpi.sshSecretName',
    message:
      'is required here, since a program that makes manifests makes no keys: name a Secret with ssh-privatekey and ssh-publickey, or run it as a custom resource under the operator',
  },
];
