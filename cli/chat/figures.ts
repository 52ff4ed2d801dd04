/** How an answer came. */
export interface Figures {
  /** As the server counts them; without its count, one for each piece. Undefined where nobody can tell. */
  readonly tokens?: number;
  /** From the question to the first piece of the answer. */
  readonly firstTokenSeconds: number;
  /** From the first piece to the last. */
  readonly streamSeconds: number;
}

/** Tokens a second, of those that came after the first; undefined where none did. */
export const paceOf = ({ tokens = 0, streamSeconds }: Figures): number | undefined =>
  tokens < 2 || streamSeconds === 0 ? undefined : (tokens - 1) / streamSeconds;

/** How an answer came, in a line. */
export function wordsOfFigures(figures: Figures): string {
  const { tokens, firstTokenSeconds, streamSeconds } = figures;
  if (tokens === undefined) return `all of it after ${(firstTokenSeconds + streamSeconds).toFixed(2)} s`;
  const pace = paceOf(figures);
  const start = `${tokens} ${tokens === 1 ? 'token' : 'tokens'}, the first after ${firstTokenSeconds.toFixed(2)} s`;
  return pace === undefined ? start : `${start}, then ${pace.toFixed(1)} tokens a second`;
}
