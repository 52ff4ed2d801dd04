import { readFileSync } from 'node:fs';

/** How many requests a user has made, by `verb resource`. */
export type Calls = Readonly<Record<string, number>>;

interface Entry {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string };
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Counts the mutating requests of a user in the audit log from a byte on; renewals of Leases aside. */
export function callsOf(user: string, auditLog: string, from: number): Calls {
  const calls: Record<string, number> = {};
  for (const line of readFileSync(auditLog).subarray(from).toString().split('\n')) {
    if (line === '') continue;
    const { verb, user: who, objectRef = {} } = JSON.parse(line) as Entry;
    if (who.username !== user || objectRef.resource === 'leases' || READS.has(verb)) continue;
    const word = `${verb} ${[objectRef.resource, objectRef.subresource].filter((part) => part !== undefined).join('/')}`;
    calls[word] = (calls[word] ?? 0) + 1;
  }
  return calls;
}

export const sum = (calls: Calls): number => Object.values(calls).reduce((total, count) => total + count, 0);
