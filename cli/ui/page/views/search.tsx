import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Detail } from '../../api.ts';
import { Shared } from '../io/shared.ts';
import { troubleOf } from '../io/server.ts';
import type { Trouble } from '../model/polling.ts';
import { queryOf, type Reference } from '../model/route.ts';
import { Loading } from '../parts/loading.tsx';
import { Refused } from '../parts/notes.tsx';

/** A plot is not asked for more often than this, in milliseconds. */
const PERIOD = 4_000;

/** How a search goes, drawn by the server as `trunnion tuning --svg` draws it. */
export function Search({ of, detail }: { readonly of: Reference; readonly detail: Detail }) {
  const { plot, trouble } = usePlot(`/api/search.svg?${queryOf(of)}`, detail);
  return (
    <>
      {detail.status.result !== undefined && <p class="prose">{detail.status.result}</p>}
      <Refused trouble={trouble} />
      {plot === undefined ? (
        <Loading isOver={trouble !== undefined} />
      ) : (
        <div class="scroll" role="region" aria-label="Plot" tabIndex={0}>
          <img
            class="plot"
            src={plot}
            alt={`The trials of ${of.name} and what came of each. The status lists them in words.`}
          />
        </div>
      )}
    </>
  );
}

/** The plot, drawn again when something of the search has changed. */
function usePlot(
  path: string,
  detail: Detail,
): { readonly plot: string | undefined; readonly trouble: Trouble | undefined } {
  const { server } = useContext(Shared);
  const [plot, setPlot] = useState<string>();
  const [trouble, setTrouble] = useState<Trouble>();
  const latest = useRef(detail);
  latest.current = detail;
  useEffect(() => {
    const end = new AbortController();
    let drawn: Detail | undefined;
    const draw = async (): Promise<void> => {
      const next = latest.current;
      if (next === drawn || document.hidden) return;
      try {
        setPlot(URL.createObjectURL(await server.blob(path, end.signal)));
        setTrouble(undefined);
        drawn = next;
      } catch (error) {
        if (!end.signal.aborted) setTrouble(troubleOf(error));
      }
    };
    void draw();
    const timer = setInterval(() => void draw(), PERIOD);
    return () => {
      end.abort();
      clearInterval(timer);
    };
  }, [path, server]);
  // What was shown before is let go only when another one is shown.
  useEffect(() => () => (plot === undefined ? undefined : URL.revokeObjectURL(plot)), [plot]);
  return { plot, trouble };
}
