/** Without those on their way out; in an order that does not depend on the order in the cache. */
export const newestFirst = <T extends { createdAt: number; name: string; deleting: boolean }>(items: readonly T[]) =>
  items
    .filter(({ deleting }) => !deleting)
    .toSorted((a, b) => b.createdAt - a.createdAt || (a.name < b.name ? -1 : Number(a.name > b.name)));
