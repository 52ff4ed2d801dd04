const INTEGER = /^[1-9]\d*$/;

/**
 * Whether resourceVersion `a` is older than `b`. Versions of one type are integers that grow (an API guarantee since
 * Kubernetes 1.35, and true of etcd's revisions before). They are compared as text, since they may exceed 2^53. What
 * is not an integer (an aggregated API may do as it likes) can't be compared, and counts as not older.
 */
export function isOlder(a: string, b: string): boolean {
  if (!INTEGER.test(a) || !INTEGER.test(b)) return false;
  return a.length === b.length ? a < b : a.length < b.length;
}

/** The newer of two versions; `b` where they can't be compared. */
export function newerOf(a: string, b: string): string {
  return isOlder(b, a) ? a : b;
}
