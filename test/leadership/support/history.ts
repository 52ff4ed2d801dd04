import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { OPERATOR_NAME } from '../../../operator/rbac.ts';

/** A mutating request that the API server accepted, by its audit log. */
export interface Act {
  /** The id of the token that it came with: each process has one of its own. */
  readonly by: string;
  readonly resource: string;
  readonly name: string;
  /** When the server had the request, and when it had answered, in milliseconds since the epoch. */
  readonly received: number;
  readonly answered: number;
}

/** The time for which one process held the Lease. */
export interface Term {
  readonly by: string;
  /** From the write that took it to the write with which another took it. */
  readonly from: number;
  readonly to: number;
}

interface Entry {
  readonly verb: string;
  readonly user: { readonly username: string; readonly extra?: Readonly<Record<string, readonly string[]>> };
  readonly objectRef?: {
    readonly resource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly responseStatus?: { readonly code?: number };
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** The audit log of an API server, read as it grows: the proxies of a test share its event loop. */
export class AuditLog {
  readonly #path: string;
  readonly #acts = new Map<string, Act[]>();
  #read = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** What service accounts have done in one namespace, in the order in which the server had it. */
  actsIn(namespace: string): readonly Act[] {
    this.#follow();
    return (this.#acts.get(namespace) ?? []).toSorted((a, b) => a.received - b.received);
  }

  #follow(): void {
    const file = openSync(this.#path, 'r');
    try {
      const news = Buffer.alloc(fstatSync(file).size - this.#read);
      const whole = news.subarray(0, readSync(file, news, 0, news.length, this.#read)).lastIndexOf(NEWLINE) + 1;
      this.#read += whole;
      for (const line of news.subarray(0, whole).toString().split('\n')) if (line !== '') this.#take(line);
    } finally {
      closeSync(file);
    }
  }

  #take(line: string): void {
    const entry = JSON.parse(line) as Entry;
    if (!isAccepted(entry)) return;
    const namespace = entry.objectRef?.namespace ?? '';
    const acts = this.#acts.get(namespace) ?? [];
    acts.push(act(entry));
    this.#acts.set(namespace, acts);
  }
}

const NEWLINE = 10;

/** By one of the operators that the namespace has an account for. */
function isAccepted({ verb, user, objectRef, responseStatus }: Entry): boolean {
  const code = responseStatus?.code ?? 0;
  const isOperator = user.username === `system:serviceaccount:${objectRef?.namespace}:${OPERATOR_NAME}`;
  return isOperator && !READS.has(verb) && code >= 200 && code < 300;
}

function act({ user, objectRef, requestReceivedTimestamp, stageTimestamp }: Entry): Act {
  return {
    by: user.extra?.['authentication.kubernetes.io/credential-id']?.[0] ?? '',
    resource: objectRef?.resource ?? '',
    name: objectRef?.name ?? '',
    received: Date.parse(requestReceivedTimestamp),
    answered: Date.parse(stageTimestamp),
  };
}

/** The id that the API server gives a token in its audit log. */
export function credentialOf(token: string): string {
  const [, claims = ''] = token.split('.');
  const { jti } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly jti: string };
  return `JTI=${jti}`;
}

const isRenewal = ({ resource }: Act): boolean => resource === 'leases';

/** Who held the Lease when. To give it up is the last write of anyone who held it. */
export function termsOf(acts: readonly Act[]): readonly Term[] {
  const taken = acts.filter(isRenewal).filter(({ by }, index, renewals) => by !== renewals[index - 1]?.by);
  return taken.map(({ by, answered }, index) => ({ by, from: answered, to: taken[index + 1]?.received ?? Infinity }));
}

/** Writes that were under way at any time when another process held the Lease, or nobody did. */
export function writesOutOfTerm(acts: readonly Act[]): readonly Act[] {
  const terms = termsOf(acts);
  const isWithin = (write: Act): boolean =>
    terms.some(({ by, from, to }) => by === write.by && from <= write.received && write.answered <= to);
  return acts.filter((one) => !isRenewal(one) && !isWithin(one));
}
