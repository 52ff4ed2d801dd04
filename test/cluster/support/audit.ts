import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { inject } from 'vitest';
import type { KubeClient } from '../../../operator/kube/client.ts';
import { eventually } from './eventually.ts';
import { types } from './types.ts';

/** A mutating request, as the API server's audit log has it. */
export interface Mutation {
  /** `create`, `patch`, `update`, `delete`, `deletecollection`. */
  readonly verb: string;
  readonly user: string;
  readonly userAgent: string;
  /** Plural, with the subresource: `deployments/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The HTTP status that it was answered with. */
  readonly code: number;
}

/** A place in the audit log. */
export type Mark = number;

/** Now: for `mutationsSince`. */
export function mark(): Mark {
  return statSync(inject('cluster').auditLog).size;
}

/**
 * All mutating requests since then, in the order of their answers; reads are not logged. Those that renew Leases are left
 * out, and so are requests for a review of access or a token, which change nothing.
 */
export async function mutationsSince(admin: KubeClient, from: Mark): Promise<Mutation[]> {
  const last = await leaveTrace(admin);
  return eventually(async () => {
    const entries = await readFrom(from);
    const end = entries.findIndex(({ name }) => name === last);
    if (end === -1) throw new Error(`the audit log doesn't have ${last} yet`);
    return entries.slice(0, end).filter(({ resource }) => !CHANGES_NOTHING.test(resource));
  });
}

const CHANGES_NOTHING = /^(leases|tokenreviews|\w+accessreviews|serviceaccounts\/token)$/;

/** A request that is logged and has no effect: what came before it is in the log once this is. */
async function leaveTrace(admin: KubeClient): Promise<string> {
  const name = `trace-${randomUUID()}`;
  const metadata = { name, namespace: 'default' };
  await admin.create(types.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata }, { dryRun: true });
  return name;
}

async function readFrom(from: Mark): Promise<Mutation[]> {
  const file = await open(inject('cluster').auditLog);
  try {
    const lines: Mutation[] = [];
    for await (const line of file.readLines({ start: from })) {
      lines.push(mutation(JSON.parse(line) as Entry));
    }
    return lines;
  } finally {
    await file.close();
  }
}

interface Entry {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

function mutation({ verb, user, userAgent = '', objectRef = {}, responseStatus }: Entry): Mutation {
  const { resource = '', subresource, namespace = '', name = '' } = objectRef;
  return {
    verb,
    user: user.username,
    userAgent,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
    name,
    code: responseStatus?.code ?? 0,
  };
}
