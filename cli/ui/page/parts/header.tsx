import type { Session } from '../../api.ts';
import type { ListRoute, Route } from '../model/route.ts';
import { Link } from './link.tsx';

/** Where the page leads, and which cluster it shows. */
export function Header({
  route,
  list,
  session,
  onHelp,
}: {
  readonly route: Route;
  readonly list: ListRoute;
  readonly session: Session | undefined;
  readonly onHelp: () => void;
}) {
  return (
    <header>
      <p class="wordmark">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M7 11h18M16 11v13" />
          <circle cx="16" cy="11" r="4.5" />
        </svg>
        Trunnion
      </p>
      <nav aria-label="Views">
        <Link to={{ ...list, view: 'resources' }} isCurrent={route.view === 'resources'}>
          Resources
        </Link>
        <Link to={{ ...list, view: 'gpus' }} isCurrent={route.view === 'gpus'}>
          GPUs
        </Link>
      </nav>
      {session !== undefined && (
        <p class="place">
          {session.context !== '' && <bdi class="context">{session.context}</bdi>} <bdi>{session.server}</bdi>
          <span class="version">trunnion {session.version}</span>
        </p>
      )}
      <button type="button" class="quiet" aria-haspopup="dialog" onClick={onHelp}>
        Keys
      </button>
    </header>
  );
}
