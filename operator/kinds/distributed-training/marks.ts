import { hasAliases, roleAliasOf } from '../../../constructs/distributed-training/names.ts';
import { ROLE_GATE, ROLE_LABEL } from '../../../constructs/distributed-training/parts.ts';
import type { PodMark } from '../../engine/api/index.ts';
import type { Observed } from './observed.ts';

/** The pods to tell their role, where users of an earlier operator rely on it. */
export const marksOf = (observed: Observed): readonly PodMark[] =>
  hasAliases(observed)
    ? observed.ranks
        .filter(({ pod, gone = false }) => !gone && !pod.deleting && pod.labels[ROLE_LABEL] === undefined)
        .map(({ rank, pod: { name, uid } }) => ({
          name,
          uid,
          labels: { [ROLE_LABEL]: roleAliasOf(rank) },
          gate: ROLE_GATE,
        }))
    : [];
