import type { Top } from '../../api.ts';
import type { NodeGpus } from '../../../top/types.ts';
import { usePoll } from '../io/use-poll.ts';
import type { Navigation } from '../io/use-route.ts';
import { type GpuGroup, type GpuRow, groupsOf, partsOf, UNKNOWN } from '../model/gpus.ts';
import { namespacesOf } from '../model/overview.ts';
import { type ListRoute, pathOf } from '../model/route.ts';
import { Filters } from '../parts/filters.tsx';
import { ResourceLink } from '../parts/link.tsx';
import { Loading } from '../parts/loading.tsx';
import { Notes, Refused } from '../parts/notes.tsx';

/** Who asks for GPUs, and what they do with them. */
export function Gpus({
  route,
  navigation,
  namespaces,
}: {
  readonly route: ListRoute;
  readonly navigation: Navigation;
  readonly namespaces: Set<string>;
}) {
  const { namespace, filter } = route;
  const { value: table, trouble } = usePoll<Top>(pathOf('/api/top', namespace));
  for (const each of table?.namespaces ?? []) namespaces.add(each.namespace);
  const groups = table === undefined ? [] : groupsOf(table, filter);
  return (
    <>
      <div class="bar">
        <h1 tabIndex={-1}>GPUs</h1>
        <Filters route={route} navigation={navigation} namespaces={namespacesOf([...namespaces], [namespace])} />
      </div>
      <Refused trouble={trouble} />
      {table === undefined ? <Loading isOver={trouble !== undefined} /> : <Notes notes={table.notes} />}
      {table?.nodes !== undefined && <OfNodes nodes={table.nodes} />}
      {groups.length > 0 && <Usage groups={groups} />}
      {table !== undefined && groups.length === 0 && (
        <p class="empty">
          {table.resources.length > 0 ? 'No resource matches the filter.' : 'There are no resources here.'}
        </p>
      )}
    </>
  );
}

function OfNodes({ nodes }: { readonly nodes: NodeGpus }) {
  const parts = partsOf(nodes);
  return (
    <section class="panel">
      <h2>GPUs of the nodes: {nodes.total}</h2>
      <svg class="share" aria-hidden="true">
        <rect class="rest" width="100%" height="100%" />
        {parts.map(({ id, x, width }) => (
          <rect key={id} class={id} x={`${x}%`} width={`${width}%`} height="100%" />
        ))}
      </svg>
      <ul class="legend">
        {parts
          .filter(({ id, count }) => count > 0 || id === 'free')
          .map(({ id, words, count }) => (
            <li key={id}>
              <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
                <rect class={id} width="10" height="10" rx="2" />
              </svg>{' '}
              {count} {words}
            </li>
          ))}
      </ul>
    </section>
  );
}

const FIGURES = [
  ['gpus', 'GPUs', 'GPUs that its pods ask for'],
  ['used', 'Used', 'How much the GPUs compute, in percent, on average'],
  ['idle', 'Idle', 'GPUs that do nothing'],
  ['running', 'Running', 'Requests in work'],
  ['waiting', 'Queued', 'Requests that wait'],
  ['tokens', 'Tokens/s', 'Tokens a second'],
] as const;

function Usage({ groups }: { readonly groups: readonly GpuGroup[] }) {
  return (
    <div class="scroll" role="region" aria-label="GPU use" tabIndex={0}>
      <table class="gpus">
        <thead>
          <tr>
            <th scope="col">Resource</th>
            <th scope="col">Phase</th>
            <th scope="col" class="number">
              Replicas
            </th>
            {FIGURES.map(([id, words, title]) => (
              <th key={id} scope="col" class="number" title={title}>
                {words}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ namespace, sums, rows }) => (
          <tbody key={namespace}>
            <tr class="sums">
              <th scope="rowgroup" colSpan={3}>
                <bdi>{namespace}</bdi>
              </th>
              <Cells row={sums} />
            </tr>
            {rows.map((row) => (
              <tr key={row.key}>
                <td>{row.resource !== undefined && <ResourceLink of={row.resource} />}</td>
                <td>{row.phase}</td>
                <td class="number">{row.replicas}</td>
                <Cells row={row} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function Cells({ row }: { readonly row: GpuRow }) {
  return (
    <>
      {FIGURES.map(([id]) =>
        id === 'used' ? <Used key={id} percent={row.used} /> : <Figure key={id} words={row[id]} />,
      )}
    </>
  );
}

const Figure = ({ words }: { readonly words: string }) => (
  <td class="number">
    {words === UNKNOWN ? (
      <>
        <span aria-hidden="true">{UNKNOWN}</span>
        <span class="unseen">unknown</span>
      </>
    ) : (
      words
    )}
  </td>
);

function Used({ percent }: { readonly percent: number | undefined }) {
  if (percent === undefined) return <Figure words={UNKNOWN} />;
  return (
    <td class="number">
      <svg class="meter" aria-hidden="true">
        <rect class="rest" width="100%" height="100%" rx="2" />
        <rect class="ours" width={`${Math.min(100, percent)}%`} height="100%" rx="2" />
      </svg>{' '}
      <span class="percent">{percent}%</span>
    </td>
  );
}
