/** Something that a test asks of a simulated life, and that can't be: what it was, what there is, and what to do. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError';
}

/** A list for a message; the rest of a long one is counted. */
export function listed(items: readonly string[], most = 20): string {
  if (items.length === 0) return 'none';
  const more = items.length > most ? [`… and ${items.length - most} more`] : [];
  return [...items.slice(0, most), ...more].join(', ');
}
