import { useContext, useEffect, useState } from 'preact/hooks';
import type { LogPiece } from '../../api.ts';
import { type LogBuffer, NO_LINES, withLines } from '../model/logs.ts';
import { type Trouble, wordsOf } from '../model/polling.ts';
import { troubleOf } from './server.ts';
import { Shared } from './shared.ts';

/** Lines come together to the screen, so often, in milliseconds. */
const BATCH = 100;

/** Logs as they come. */
export interface Logs {
  readonly buffer: LogBuffer;
  /** Why no more lines come; undefined while they do. */
  readonly ending: string | undefined;
}

const NOTHING: Logs = { buffer: NO_LINES, ending: undefined };

/**
 * Follows logs.
 *
 * @param run - another number begins again
 */
export function useLogs(path: string, run: number): Logs {
  const { server } = useContext(Shared);
  const [logs, setLogs] = useState<Logs>(NOTHING);
  useEffect(() => {
    setLogs(NOTHING);
    const end = new AbortController();
    let waiting: LogPiece[] = [];
    const show = (ending?: string): void => {
      if (end.signal.aborted || (waiting.length === 0 && ending === undefined)) return;
      const pieces = waiting;
      waiting = [];
      setLogs(({ buffer }) => ({ buffer: withLines(buffer, pieces), ending }));
    };
    const timer = setInterval(() => show(), BATCH);
    const follow = async (): Promise<void> => {
      let ending = 'The logs have ended.';
      try {
        for await (const piece of server.stream<LogPiece>(path, { signal: end.signal })) waiting.push(piece);
      } catch (error) {
        ending = wordsOfBreak(troubleOf(error));
      }
      clearInterval(timer);
      show(ending);
    };
    void follow();
    return () => {
      end.abort();
      clearInterval(timer);
    };
  }, [path, run, server]);
  return logs;
}

const wordsOfBreak = (trouble: Trouble): string =>
  trouble.kind === 'gone' ? 'The connection was lost.' : wordsOf(trouble);
