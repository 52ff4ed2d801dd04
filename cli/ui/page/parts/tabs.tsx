import type { Detail } from '../../api.ts';
import type { ResourceRoute, Tab } from '../model/route.ts';
import { Link } from './link.tsx';

const WORDS: Readonly<Record<Tab, string>> = {
  status: 'Status',
  events: 'Events',
  logs: 'Logs',
  search: 'Search',
  chat: 'Chat',
};

/** The parts that a resource has: only a search has a plot, and only what answers has a chat. */
export const tabsOf = ({ isSearch, chat }: Pick<Detail, 'isSearch' | 'chat'>): readonly Tab[] => [
  'status',
  'events',
  'logs',
  ...(isSearch ? (['search'] as const) : []),
  ...(chat === undefined ? [] : (['chat'] as const)),
];

/** Leads to each part of a resource. */
export function Tabs({ route, detail }: { readonly route: ResourceRoute; readonly detail: Detail }) {
  const warnings = detail.events.filter(({ warning }) => warning).length;
  return (
    <nav class="tabs" aria-label="Parts of the resource">
      {tabsOf(detail).map((tab) => (
        <Link key={tab} to={{ ...route, tab }} isCurrent={tab === route.tab}>
          {WORDS[tab]}
          {tab === 'events' && warnings > 0 && (
            <span class="badge">
              {warnings}
              <span class="unseen"> {warnings === 1 ? 'warning' : 'warnings'}</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
