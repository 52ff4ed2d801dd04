import { createContext } from 'preact';
import type { Trouble } from '../model/polling.ts';
import { Server } from './server.ts';

/** What all views use. */
export interface Shared {
  readonly server: Server;
  /** Tells whether the server answers; undefined where it does. */
  readonly report: (trouble: Trouble | undefined) => void;
  /** Lets a screen reader say something. */
  readonly announce: (words: string) => void;
}

/** What all views use. */
export const Shared = createContext<Shared>({
  server: new Server(undefined),
  report: () => undefined,
  announce: () => undefined,
});
