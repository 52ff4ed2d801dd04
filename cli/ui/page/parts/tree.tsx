import { useMemo, useState } from 'preact/hooks';
import type { StatusNode } from '../../../status/types.ts';
import { type Branch, type Branches, branchesOf, isFoldable, STATE_WORDS } from '../model/tree.ts';
import { Sign } from './sign.tsx';

/** All that belongs to a resource, down to its pods. */
export function Tree({ nodes }: { readonly nodes: readonly StatusNode[] }) {
  const [all, setAll] = useState(false);
  const branches = useMemo(() => branchesOf(nodes, all), [nodes, all]);
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Objects</h2>
        {isFoldable(nodes) && (
          <button type="button" class="quiet" aria-pressed={all} onClick={() => setAll(!all)}>
            Show all pods
          </button>
        )}
      </div>
      {nodes.length === 0 ? <p class="empty">There are no objects yet.</p> : <Level branches={branches} />}
    </section>
  );
}

function Level({ branches: { shown, folded } }: { readonly branches: Branches }) {
  if (shown.length === 0 && folded === 0) return null;
  return (
    <ul class="tree">
      {shown.map((branch) => (
        <Node key={branch.key} branch={branch} />
      ))}
      {folded > 0 && (
        <li>
          <p class="object">
            <Sign state="ok" words="ok" />
            <span>
              {folded} {shown.length > 0 ? 'other pods' : 'pods'} are well
            </span>
          </p>
        </li>
      )}
    </ul>
  );
}

function Node({ branch }: { readonly branch: Branch }) {
  const { kind, name, state, summary, because, below } = branch;
  return (
    <li>
      <p class={`object ${state}`}>
        <Sign state={state} words={STATE_WORDS[state]} />
        <span>
          <span class="kind">{kind}</span> <bdi class="name">{name}</bdi>{' '}
          {summary !== '' && <span class="standing-of">{summary}</span>}
        </span>
      </p>
      {because.map(({ words, isAbove }) => (
        <p key={words} class={isAbove ? 'because above' : `because ${state}`}>
          {isAbove ? 'as above' : <bdi>{words}</bdi>}
        </p>
      ))}
      <Level branches={below} />
    </li>
  );
}
