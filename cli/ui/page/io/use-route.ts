import { useCallback, useEffect, useState } from 'preact/hooks';
import { fragmentOf, type Route, routeOf } from '../model/route.ts';

/** Where the address leads, and how to go elsewhere. */
export interface Navigation {
  readonly route: Route;
  /** With a step for the back button. */
  readonly go: (route: Route) => void;
  /** Without one: what is typed into a filter is no place to go back to. */
  readonly replace: (route: Route) => void;
}

/** Where the address leads, and how to go elsewhere. */
export function useRoute(): Navigation {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const follow = (): void => setRoute(routeOf(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const go = useCallback((next: Route) => {
    location.hash = fragmentOf(next);
  }, []);
  const replace = useCallback((next: Route) => {
    history.replaceState(null, '', fragmentOf(next));
    setRoute(next);
  }, []);
  return { route, go, replace };
}
