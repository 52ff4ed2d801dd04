import { useContext, useEffect, useMemo, useRef } from 'preact/hooks';
import type { Overview, ResourceLine } from '../../api.ts';
import { Shared } from '../io/shared.ts';
import { useNow } from '../io/use-now.ts';
import { usePoll } from '../io/use-poll.ts';
import type { Navigation } from '../io/use-route.ts';
import { changesOf } from '../model/changes.ts';
import { type Counts, countsOf, namespacesOf, shownResources, wordsOfCount } from '../model/overview.ts';
import { keyOf, type ListRoute, pathOf } from '../model/route.ts';
import { ageWords } from '../model/time.ts';
import { Filters } from '../parts/filters.tsx';
import { ResourceLink } from '../parts/link.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notes, Refused } from '../parts/notes.tsx';
import { Sign } from '../parts/sign.tsx';

const AGE_PERIOD = 10_000;
const NONE: readonly ResourceLine[] = [];

/** All resources, failed ones first. */
export function Resources({
  route,
  navigation,
  namespaces,
}: {
  readonly route: ListRoute;
  readonly navigation: Navigation;
  /** Those that were seen so far. */
  readonly namespaces: Set<string>;
}) {
  const { namespace, filter } = route;
  const { value, trouble } = usePoll<Overview>(pathOf('/api/overview', namespace));
  const now = useNow(AGE_PERIOD);
  const resources = value?.resources ?? NONE;
  useAnnouncement(value?.resources, namespace);
  const shown = useMemo(() => shownResources(resources, filter), [resources, filter]);
  const rows = useMemo(() => shown.map((line) => <Line key={keyOf(line)} line={line} now={now} />), [shown, now]);
  for (const each of resources) namespaces.add(each.namespace);
  return (
    <>
      <div class="bar">
        <h1 tabIndex={-1}>Resources</h1>
        <Filters route={route} navigation={navigation} namespaces={namespacesOf([...namespaces], [namespace])} />
        {value !== undefined && <Summary counts={countsOf(shown)} shown={shown.length} all={resources.length} />}
      </div>
      <Refused trouble={trouble} />
      {value === undefined ? <Loading isOver={trouble !== undefined} /> : <Notes notes={value.notes} />}
      {rows.length > 0 && (
        <table class="resources" role="table">
          <thead role="rowgroup">
            <tr role="row">
              {['Phase', 'Resource', 'Namespace', 'Cause', 'Age'].map((head) => (
                <th key={head} role="columnheader" scope="col" class={`column-${head.toLowerCase()}`}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">{rows}</tbody>
        </table>
      )}
      {value !== undefined && rows.length === 0 && <Empty all={resources.length} namespace={namespace} />}
    </>
  );
}

function Line({ line, now }: { readonly line: ResourceLine; readonly now: number }) {
  const { namespace, phase, message, state, createdAt } = line;
  return (
    <tr role="row" class={state}>
      <td role="cell" class="column-phase">
        <Sign state={state} /> <bdi>{phase || 'New'}</bdi>
      </td>
      <td role="cell" class="column-resource">
        <ResourceLink of={line} />
      </td>
      <td role="cell" class="column-namespace">
        <bdi>{namespace}</bdi>
      </td>
      <td role="cell" class="column-cause">
        <bdi>{message}</bdi>
      </td>
      <td role="cell" class="column-age">
        <time dateTime={createdAt}>{ageWords(createdAt, now)}</time>
      </td>
    </tr>
  );
}

const COUNTED = [
  ['failed', 'failed'],
  ['waiting', 'waiting'],
  ['ok', 'ok'],
] as const;

function Summary({ counts, shown, all }: { readonly counts: Counts; readonly shown: number; readonly all: number }) {
  return (
    <p class="summary">
      {wordsOfCount(shown, all)}
      {COUNTED.map(([state, words]) =>
        counts[state] === 0 ? null : (
          <span key={state} class="count">
            <Sign state={state} /> {counts[state]} {words}
          </span>
        ),
      )}
    </p>
  );
}

function Empty({ all, namespace }: { readonly all: number; readonly namespace: string }) {
  const where = namespace === '' ? 'in this cluster' : `in namespace ${namespace}`;
  return (
    <p class="empty">
      {all > 0 ? (
        'No resource matches the filter.'
      ) : (
        <>
          There are no resources {where} yet. To write a first one: <code>trunnion init</code>
        </>
      )}
    </p>
  );
}

/** Says which phases changed; not what comes with another namespace. */
function useAnnouncement(resources: readonly ResourceLine[] | undefined, namespace: string): void {
  const { announce } = useContext(Shared);
  const last = useRef({ namespace, resources });
  useEffect(() => {
    const before = last.current;
    last.current = { namespace, resources };
    if (before.namespace !== namespace || before.resources === undefined || resources === undefined) return;
    const words = changesOf(before.resources, resources);
    if (words !== '') announce(words);
  }, [resources, namespace, announce]);
}
