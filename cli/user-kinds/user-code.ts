let runs = false;

/** Notes that a module of the user's runs in this process. */
export function noteUserCode(): void {
  runs = true;
}

/** Whether one does: it may keep something open, a timer or a connection, on which the process would wait forever. */
export const runsUserCode = (): boolean => runs;
