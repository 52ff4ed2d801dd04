import type { EventLine } from '../../api.ts';
import { ageWords } from '../model/time.ts';
import { Sign } from '../parts/sign.tsx';

/** What the cluster reported, the latest first. */
export function Events({ events, now }: { readonly events: readonly EventLine[]; readonly now: number }) {
  if (events.length === 0) return <p class="empty">There are no events. Kubernetes keeps them for an hour.</p>;
  return (
    <table class="events" role="table">
      <thead role="rowgroup">
        <tr role="row">
          {['Age', 'Reason', 'Object', 'Message'].map((head) => (
            <th key={head} role="columnheader" scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {events.map(({ kind, name, warning, reason, message, count, at }) => (
          <tr key={`${kind}/${name}/${reason}/${at}/${message}`} role="row" class={warning ? 'failed' : ''}>
            <td role="cell" class="column-age">
              <time dateTime={at}>{ageWords(at, now)}</time>
              {count > 1 && <span class="times"> ×{count}</span>}
            </td>
            <td role="cell" class="column-reason">
              {warning && <Sign state="failed" words="Warning" />} <bdi>{reason}</bdi>
            </td>
            <td role="cell" class="column-object">
              <span class="kind">{kind}</span> <bdi>{name}</bdi>
            </td>
            <td role="cell" class="column-message">
              <bdi>{message}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
