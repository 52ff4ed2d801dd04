import type { State, StatusNode } from '../../../status/types.ts';

/** An object with those that it owns, as it is shown. */
export interface Branch {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly state: State;
  readonly summary: string;
  /** Each reason is shown in full the first time only: pods tend to have the same trouble. */
  readonly because: readonly { readonly words: string; readonly isAbove: boolean }[];
  readonly below: Branches;
}

/** The objects of one level. */
export interface Branches {
  readonly shown: readonly Branch[];
  /** Pods that are well and that one line stands for. */
  readonly folded: number;
}

/** What the tree says in words, for those who don't see a sign or a colour. */
export const STATE_WORDS: Readonly<Record<State, string>> = {
  ok: 'ok',
  waiting: 'waiting',
  failed: 'failed',
  absent: 'not there',
  leaving: 'leaving',
};

/** Of pods that are well, so many are shown one by one. */
const FEW = 8;

/**
 * The tree as it is shown.
 *
 * @param all - whether each pod is shown, however many there are
 */
export function branchesOf(nodes: readonly StatusNode[], all: boolean): Branches {
  const seen = new Set<string>();
  return levelOf(nodes, all, seen, '');
}

function levelOf(nodes: readonly StatusNode[], all: boolean, seen: Set<string>, path: string): Branches {
  const fine = nodes.filter(isFine).length;
  const isCrowd = !all && fine > FEW;
  const shown = isCrowd ? nodes.filter((node) => !isFine(node)) : nodes;
  return {
    shown: shown.map(({ kind, name, state, summary, because, children }, index) => {
      const key = `${path}/${index}:${kind}/${name}`;
      const reasons = because.map((words) => {
        const isAbove = seen.has(words);
        seen.add(words);
        return { words, isAbove };
      });
      return { key, kind, name, state, summary, because: reasons, below: levelOf(children, all, seen, key) };
    }),
    folded: isCrowd ? fine : 0,
  };
}

const isFine = ({ kind, state }: StatusNode): boolean => kind === 'Pod' && state === 'ok';

/** Whether some pods are left out unless all are asked for. */
export const isFoldable = (nodes: readonly StatusNode[]): boolean =>
  nodes.filter(isFine).length > FEW || nodes.some(({ children }) => isFoldable(children));
