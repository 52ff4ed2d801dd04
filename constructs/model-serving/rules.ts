import { containerRules, drainRules, nameRules, scalingRules } from '../parts/pod/schema.ts';
import { IDENTITY_OF_SCHEME } from '../parts/objects/index.ts';
import type { Rule } from '../schema/rules.ts';
import { isFetched, isMounted } from './uri.rules.ts';
import { companionRules } from './companions.rules.ts';
import { groupNameRules, groupRules } from './group.rules.ts';
import { fileRules } from './files.rules.ts';
import { imageRules } from './image.rules.ts';
import { servedNameRules, targetRules, userRules } from './engine.rules.ts';
import { parallelismRules } from './parallelism.rules.ts';

/** The longest name: NAME-weights-KEY, with a key of ten digits, is the longest of the names that come from it. */
export const MAX_NAME_LENGTH = 63 - '-weights-'.length - 10;

/** Whether a field of the model, which may be left out, is as it was. */
const sameOf = (spec: '' | '.spec', field: string): string =>
  `has(self${spec}.model.${field}) == has(oldSelf${spec}.model.${field}) && (!has(self${spec}.model.${field}) || self${spec}.model.${field} == oldSelf${spec}.model.${field})`;
const sameModelOf = (spec: '' | '.spec'): string =>
  `self${spec}.model.uri == oldSelf${spec}.model.uri && ${['files', 'file', 'tokenizer', 'draft', 'vocabulary'].map((field) => sameOf(spec, field)).join(' && ')} && has(self${spec}.storage) && has(oldSelf${spec}.storage)`;
const newModel = 'it can change together with model.uri, which gets a volume of its own';
const sizeOf = (path: string): string => `quantity(string(${path}))`;
/** A claim that was refused, or failed, to grow has what it had: the size may go back to that. */
const leastIsKnown =
  'has(oldSelf.status) && has(oldSelf.status.weights) && has(oldSelf.status.weights.leastSize) && oldSelf.status.weights.uri == self.spec.model.uri';

/** Rules of the resource as a whole. */
export const resourceRules: readonly Rule[] = [
  ...nameRules(MAX_NAME_LENGTH),
  ...groupNameRules,
  {
    rule: '!has(self.spec.successor) || self.spec.successor != self.metadata.name',
    fieldPath: '.spec.successor',
    message: 'must be another ModelServing than this one',
  },
  {
    rule: `!(${sameModelOf('.spec')}) || ${sizeOf('self.spec.storage.size')}.compareTo(${sizeOf('oldSelf.spec.storage.size')}) >= 0 || ${leastIsKnown} && ${sizeOf('self.spec.storage.size')}.compareTo(quantity(oldSelf.status.weights.leastSize)) >= 0`,
    fieldPath: '.spec.storage.size',
    message: `must not shrink below what the volume has, since a volume can't; ${newModel}`,
  },
];

const fetched = isFetched('self.model.uri');
const mounted = isMounted('self.model.uri');

const storageRules: readonly Rule[] = [
  {
    rule: `!${fetched} || has(self.storage)`,
    fieldPath: '.storage',
    message: 'is required, since the weights are fetched onto a volume: give at least storage.size',
  },
  {
    rule: `!${mounted} || !has(self.storage)`,
    fieldPath: '.storage',
    message: 'must be left out for pvc:// and oci://, whose weights are mounted from where they are',
  },
  {
    rule: `!${mounted} || !has(self.model.credentials)`,
    fieldPath: '.model.credentials',
    message:
      'must be left out for pvc:// and oci://, since nothing is fetched; images are pulled with spec.imagePullSecrets',
  },
];

const identityRules: readonly Rule[] = Object.entries(IDENTITY_OF_SCHEME).map(([scheme, identity]) => ({
  rule: `!has(self.serviceAccount) || !has(self.serviceAccount.identity) || self.serviceAccount.identity != '${identity}' || self.model.uri.startsWith('${scheme}://')`,
  fieldPath: '.serviceAccount.identity',
  message: `${identity} is for the fetch of ${scheme}:// alone: choose that of the host of model.uri, or leave it out; what the server itself must reach goes to egress`,
}));

const single = "has(self.storage) && self.storage.accessMode == 'ReadWriteOnce'";
const several = "has(self.storage) && self.storage.accessMode != 'ReadWriteOnce'";
const choose = 'set storage.accessMode to ReadWriteMany, with a storage class that can, or keep to one replica';

const singleWriterRules: readonly Rule[] = [
  {
    rule: `!(${single}) || !has(self.replicas) || self.replicas <= 1`,
    fieldPath: '.replicas',
    message: `must be at most 1, since a ReadWriteOnce volume serves one node: ${choose}`,
  },
  {
    rule: `!(${single}) || !has(self.autoscaling) || self.autoscaling.maxReplicas <= 1`,
    fieldPath: '.autoscaling.maxReplicas',
    message: `must be at most 1, since a ReadWriteOnce volume serves one node: ${choose}`,
  },
  {
    rule: `!(${single}) || !has(self.rollout) || !has(self.rollout.maxSurge) || self.rollout.maxSurge == 0`,
    fieldPath: '.rollout.maxSurge',
    message:
      'must be 0 or left out, since a replica on another node would wait forever for a ReadWriteOnce volume; a new model has a new volume, and surges by itself where maxSurge is left out',
  },
  {
    rule: `!(${single}) || !has(self.rollout) || !has(self.rollout.maxUnavailable) || self.rollout.maxUnavailable > 0`,
    fieldPath: '.rollout.maxUnavailable',
    message:
      'must be at least 1 or left out, since the replica on a ReadWriteOnce volume must stop before the next one starts',
  },
];

const sameModel = sameModelOf('');

const changeRules: readonly Rule[] = [
  {
    rule: `!(${sameModel}) || self.storage.accessMode == oldSelf.storage.accessMode`,
    fieldPath: '.storage.accessMode',
    message: `must stay as it is, since that of a volume does; ${newModel}`,
    messageExpression: `'must stay ' + oldSelf.storage.accessMode + ', since that of a volume does; ${newModel}'`,
  },
  {
    rule: `!(${sameModel}) || has(self.storage.storageClassName) == has(oldSelf.storage.storageClassName) && (!has(self.storage.storageClassName) || self.storage.storageClassName == oldSelf.storage.storageClassName)`,
    fieldPath: '.storage.storageClassName',
    message: `must stay as it is, since that of a volume does; ${newModel}`,
  },
];

const portRules: readonly Rule[] = [
  {
    rule: "!has(self.engine.port) || self.engine.port >= 1024 || self.security.level != 'restricted'",
    fieldPath: '.engine.port',
    message:
      'must be at least 1024 with security.level restricted, whose pods run as an ordinary user: choose another port, or baseline',
  },
];

/** Rules of `spec`, about fields that concern each other. */
export const specRules: readonly Rule[] = [
  ...storageRules,
  ...fileRules,
  ...companionRules,
  ...identityRules,
  ...scalingRules,
  ...singleWriterRules,
  ...parallelismRules,
  ...groupRules,
  ...targetRules,
  ...servedNameRules,
  ...userRules,
  ...imageRules,
  ...portRules,
  ...drainRules,
  ...containerRules({
    containers: [{ name: 'server' }],
    initContainers: [
      { name: 'fetch', where: { rule: 'has(self.storage)', words: 'where weights are fetched' } },
      { name: 'wait', where: { rule: several, words: 'on a volume of another accessMode' } },
    ],
  }),
  ...changeRules,
];

/** Rules of `spec.rollout`. */
export const rolloutRules: readonly Rule[] = [
  {
    rule: '!(has(self.maxSurge) && self.maxSurge == 0 && has(self.maxUnavailable) && self.maxUnavailable == 0)',
    message: 'maxSurge and maxUnavailable must not both be 0, or nothing could ever be replaced',
  },
];

/** Rules of `spec.autoscaling`. */
export const autoscalingRules: readonly Rule[] = [
  {
    rule: 'has(self.prometheus) || !(has(self.targets.ttftMilliseconds) || has(self.targets.itlMilliseconds) || has(self.targets.queueDepth) || has(self.targets.runningRequests) || has(self.targets.kvCachePercent))',
    fieldPath: '.prometheus',
    message:
      "is required by all targets but cpuPercent, whose metrics are the engine's own: give prometheus.serverAddress",
  },
];

/** Rules of `spec.autoscaling.targets`. */
export const targetsRules: readonly Rule[] = [
  {
    rule: 'has(self.ttftMilliseconds) || has(self.itlMilliseconds) || has(self.queueDepth) || has(self.runningRequests) || has(self.kvCachePercent) || has(self.cpuPercent)',
    message:
      'must have at least one of ttftMilliseconds, itlMilliseconds, queueDepth, runningRequests, kvCachePercent, cpuPercent',
  },
];

/** Rules of `spec` in hosts that have no operator. */
export const staticRules: readonly Rule[] = [
  {
    rule: '!self.retired',
    fieldPath: '.retired',
    message:
      'is for the operator only, since draining takes time: here take the resource out of the program, or run it as a custom resource under the operator',
  },
];
