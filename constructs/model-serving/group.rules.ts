import type { Rule } from '../schema/rules.ts';
import { celList, grouped } from './engine.cel.ts';
import { ENGINE_TABLE } from './engine.table.ts';
import { ENGINES, GROUPED_ENGINES } from './engines.ts';

/**
 * The longest name of one whose replicas are groups: the longest label that comes from it is NAME-server-9999-HASH, that of a
 * StatefulSet's revision, with a hash of ten characters.
 */
export const MAX_GROUPED_NAME_LENGTH = 63 - '-server'.length - '-9999'.length - '-'.length - 10;

const COUNT_OWN_COPIES = ENGINES.filter((type) => ENGINE_TABLE[type].countsOwnCopies === true);
const others = ENGINES.filter((type) => !GROUPED_ENGINES.includes(type));

/** Rules of the resource about replicas of several pods. */
export const groupNameRules: readonly Rule[] = [
  {
    rule: `!(${grouped('self.spec')}) || self.metadata.name.size() <= ${MAX_GROUPED_NAME_LENGTH}`,
    fieldPath: '.metadata.name',
    message: `must have at most ${MAX_GROUPED_NAME_LENGTH} characters where spec.nodes is above 1, so that the names and labels of the pods of a group fit: choose a shorter name`,
  },
];

/** Rules of `spec` about replicas of several pods. */
export const groupRules: readonly Rule[] = [
  {
    rule: `!(${grouped('self')}) || !(self.engine.type in ${celList(others)})`,
    fieldPath: '.nodes',
    message: `must be 1 or left out with ${others.join(', ')}: ${GROUPED_ENGINES.join(' and ')} run one model over several nodes`,
  },
  {
    rule: `!(${grouped('self')}) || !has(self.storage) || self.storage.accessMode != 'ReadWriteOnce'`,
    fieldPath: '.storage.accessMode',
    message:
      'must be ReadWriteMany where nodes is above 1, since each node mounts the volume: set it, with a storage class that can, or serve the model from pvc:// or oci://',
  },
  {
    rule: `!(${grouped('self')}) || !(self.engine.type in ${celList(COUNT_OWN_COPIES)}) || !has(self.parallelism) || self.parallelism.data == 1 || !has(self.autoscaling) || !has(self.autoscaling.prometheus)`,
    fieldPath: '.autoscaling.prometheus',
    message: `must be left out with ${COUNT_OWN_COPIES.join(', ')} where nodes and parallelism.data are above 1: the leader counts the requests of its own copies alone; set parallelism.data to 1, or scale by cpuPercent`,
  },
  {
    rule: `!has(self.topology) || ${grouped('self')}`,
    fieldPath: '.topology',
    message: 'must be left out where nodes is 1: it says how near to each other the pods of one replica run',
  },
  {
    rule: '!has(self.topology) || !has(self.podTemplate) || !has(self.podTemplate.spec) || !has(self.podTemplate.spec.affinity) || !has(self.podTemplate.spec.affinity.podAffinity)',
    fieldPath: '.podTemplate.spec.affinity.podAffinity',
    message: 'must be left out where topology is given, which is one itself: leave out one of them',
  },
];
