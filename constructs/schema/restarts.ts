/** Whether a change of a field restarts pods that run, and why. */
export interface RestartNote {
  readonly restarts: boolean;
  readonly why: string;
}

/** Notes by path: `spec.drain`. One holds for all that is in its field, but for what has a note of its own. */
export type RestartTable = Readonly<Record<string, RestartNote>>;

/** A change reaches only pods that are new. */
export const restarts = (why: string): RestartNote => ({ restarts: true, why });

/** A change takes effect beside the pods that run. */
export const keepsPods = (why: string): RestartNote => ({ restarts: false, why });

/** What holds for a field: the note of the longest path that it is in; undefined where there is none. */
export function restartNoteOf(table: RestartTable, path: string): RestartNote | undefined {
  const [nearest] = Object.keys(table)
    .filter((each) => path === each || (path.startsWith(each) && /^[.[{]/.test(path.slice(each.length))))
    .toSorted((a, b) => b.length - a.length);
  return nearest === undefined ? undefined : table[nearest];
}
