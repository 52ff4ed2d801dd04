// The EphemeralVolumeClaim of kopf's walkthrough: a claim that goes once the pods that used it are done, or if none does.
import { ApiObject } from 'cdk8s';
import { defineKind, operate, type Listed } from 'trunnion-operator';
import * as z from 'zod';

interface Pod {
  readonly spec?: { readonly volumes?: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[] };
  readonly status?: { readonly phase?: string };
}
const PODS = { group: '', version: 'v1', kind: 'Pod', plural: 'pods' };
const seconds = z.int().min(0).default(30);

/** Whether a pod mounts a claim, and whether it still may read or write it. */
const mounts = (claim: string) => (pod: Listed) =>
  (pod.slice as Pod).spec?.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === claim) ?? false;
const runs = ({ slice }: Listed) => !['Succeeded', 'Failed'].includes((slice as Pod).status?.phase ?? '');

export const EphemeralVolumeClaim = defineKind({
  group: 'kopf.dev',
  version: 'v1',
  kind: 'EphemeralVolumeClaim',
  shortNames: ['evc', 'evcs'],
  description: 'A PersistentVolumeClaim of the same name that is deleted after its use.',
  spec: z.strictObject({
    size: z.string().describe('Size of the volume. It can grow.'),
    gracePeriod: seconds.describe('Seconds that it stays after the last pod that used it is done.'),
    expiryPeriod: seconds.describe('Seconds that it waits for its first pod.'),
  }),
  status: z.strictObject({
    used: z.boolean().describe('Whether a pod has used it.'),
    unusedSince: z.string().optional().describe('Since when no pod uses it any more.'),
  }),
  examples: [{ size: '1G' }],
  reads: ['v1/Pod'],
  permissions: ['expire'],
  reconcile: ({ name, resource: { metadata }, spec, status, answers, now }) => {
    const answer = answers['at the end'] ?? answers['pods'];
    const users = answer?.type === 'objects' ? answer.objects.filter(mounts(name)) : undefined;
    const used = status.used === true || (users ?? []).length > 0;
    const idleSince =
      users?.some(runs) === true || !used ? undefined : (status.unusedSince ?? new Date(now).toISOString());
    // As long as nobody knows of pods, it is as it was.
    const unusedSince = users === undefined ? status.unusedSince : idleSince;
    const [from, period] = used ? [unusedSince, spec.gracePeriod] : [metadata.creationTimestamp, spec.expiryPeriod];
    const end = from === undefined ? Infinity : Date.parse(from) + 1000 * period;
    // Another look is taken at the end: a pod may have come since.
    const id = now < end ? 'pods' : 'at the end';
    return {
      status: { used, ...(unusedSince !== undefined && { unusedSince }) },
      queries: [{ id, type: 'objects', resource: PODS, paths: ['spec.volumes', 'status.phase'], everySeconds: 10 }],
      expire: now >= end && answers['at the end']?.type === 'objects',
      ...(end > now && end < Infinity && { requeueAt: end }),
    };
  },
  construct: (scope, { name, labels, spec: { size } }) => {
    new ApiObject(scope, 'claim', {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, labels },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'standard',
        resources: { requests: { storage: size } },
      },
    });
  },
});

if (import.meta.main) await operate({ name: 'evc-operator', kinds: [EphemeralVolumeClaim] });
