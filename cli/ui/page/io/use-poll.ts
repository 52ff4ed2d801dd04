import { useContext, useEffect, useState } from 'preact/hooks';
import { delayOf, type Trouble } from '../model/polling.ts';
import { Shared } from './shared.ts';
import { troubleOf } from './server.ts';

/** What a path answered last. */
export interface Polled<T> {
  /** Undefined until the first answer. */
  readonly value: T | undefined;
  /** Why there is no newer one. */
  readonly trouble: Trouble | undefined;
}

/**
 * Asks a path again and again while somebody looks at the page. What it said last stays when it no longer answers.
 *
 * @param path - undefined where nothing is to be asked
 */
export function usePoll<T>(path: string | undefined): Polled<T> {
  const { server, report } = useContext(Shared);
  const [polled, setPolled] = useState<Polled<T> & { readonly path?: string | undefined }>({
    value: undefined,
    trouble: undefined,
  });
  useEffect(() => {
    if (path === undefined) return undefined;
    const loop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let isAsking = false;
    const ask = async (): Promise<void> => {
      if (isAsking || document.hidden) return;
      clearTimeout(timer);
      isAsking = true;
      let trouble: Trouble | undefined;
      try {
        const value = await server.json<T>(path, loop.signal);
        failures = 0;
        setPolled((last) =>
          last.path === path && last.value === value && !last.trouble ? last : { path, value, trouble },
        );
      } catch (error) {
        if (loop.signal.aborted) return;
        failures += 1;
        trouble = troubleOf(error);
        setPolled((last) => ({ path, value: last.path === path ? last.value : undefined, trouble }));
      }
      isAsking = false;
      if (loop.signal.aborted) return;
      report(trouble?.kind === 'refused' ? undefined : trouble);
      timer = setTimeout(() => void ask(), delayOf(failures));
    };
    void ask();
    document.addEventListener('visibilitychange', () => void ask(), { signal: loop.signal });
    return () => {
      loop.abort();
      clearTimeout(timer);
    };
  }, [path, server, report]);
  return polled.path === path ? polled : { value: server.known(path) as T | undefined, trouble: undefined };
}
