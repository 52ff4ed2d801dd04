/** Without those on their way out; in an order that does not depend on how the cache came by them. */
export const newestFirst = <T extends { createdAt: number; name: string; deleting: boolean }>(items: readonly T[]) =>
  items
    .filter(({ deleting }) => !deleting)
    .toSorted((a, b) => b.createdAt - a.createdAt || (a.name < b.name ? -1 : Number(a.name > b.name)));
