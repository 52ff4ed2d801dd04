import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { cluster } from './cluster.ts';
import { eventually } from './eventually.ts';

/** A request, as the API server's audit log has it. */
export interface AuditedRequest {
  /** `get`, `list`, `watch`, `create`, `patch`, `update`, `delete`, `deletecollection`. */
  readonly verb: string;
  readonly user: string;
  readonly userAgent: string;
  /** The API group; empty for the core. */
  readonly group: string;
  /** Plural, with the subresource: `deployments/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The HTTP status that it was answered with. */
  readonly code: number;
}

/** A request that may have changed something. */
export type Mutation = AuditedRequest;

/** A place in the audit log. */
export type Mark = number;

/** Now: for `mutationsSince`. */
export function mark(): Mark {
  return statSync(cluster().auditLog).size;
}

/**
 * All mutating requests since then, in the order of their answers. Those that renew Leases are left out, and so are
 * requests for a review of access or a token, which change nothing.
 */
export async function mutationsSince(admin: KubeClient, from: Mark): Promise<Mutation[]> {
  const requests = await requestsSince(admin, from);
  return requests.filter(({ verb, resource }) => !READS.has(verb) && !CHANGES_NOTHING.test(resource));
}

/**
 * All requests since then that are logged, in the order of their answers: those that change something, and of the
 * operator's account what it reads as well. A watch is there twice: when it began, and when it ended.
 */
export async function requestsSince(admin: KubeClient, from: Mark): Promise<AuditedRequest[]> {
  const last = await leaveTrace(admin);
  return eventually(async () => {
    const entries = await readFrom(from);
    const end = entries.findIndex(({ name }) => name === last);
    if (end === -1) throw new Error(`the audit log doesn't have ${last} yet`);
    return entries.slice(0, end);
  });
}

const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

const CHANGES_NOTHING = /^(leases|tokenreviews|\w+accessreviews|serviceaccounts\/token)$/;

/** A request that is logged and has no effect: what came before it is in the log once this is. */
async function leaveTrace(admin: KubeClient): Promise<string> {
  const name = `trace-${randomUUID()}`;
  const metadata = { name, namespace: 'default' };
  await admin.create(TYPES.configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata }, { dryRun: true });
  return name;
}

async function readFrom(from: Mark): Promise<AuditedRequest[]> {
  const file = await open(cluster().auditLog);
  try {
    const lines: AuditedRequest[] = [];
    let isRest = await isWithinLine(file, from);
    for await (const line of file.readLines({ start: from })) {
      if (!isRest) lines.push(request(JSON.parse(line) as Entry));
      isRest = false;
    }
    return lines;
  } finally {
    await file.close();
  }
}

/** A mark may stand in the middle of a line that was being written: what that tells of had been answered before. */
const isWithinLine = async (file: FileHandle, at: Mark): Promise<boolean> =>
  at > 0 && String((await file.read(Buffer.alloc(1), 0, 1, at - 1)).buffer) !== '\n';

interface Entry {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

function request({ verb, user, userAgent = '', objectRef = {}, responseStatus }: Entry): AuditedRequest {
  const { apiGroup: group = '', resource = '', subresource, namespace = '', name = '' } = objectRef;
  return {
    verb,
    user: user.username,
    userAgent,
    group,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
    name,
    code: responseStatus?.code ?? 0,
  };
}
