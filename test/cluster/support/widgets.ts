import { untilTestEnds } from './in-process.ts';
import { TRUNNION } from '../../../operator/trunnion.ts';
import { beforeAll, expect } from 'vitest';
import { createLogger } from '../../../operator/engine/telemetry/log.ts';
import type { KubeObject, ResourceType } from '../../../operator/kube/index.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import { runOperator } from '../../../operator/operator.ts';
import type { OperatorOptions } from '../../../operator/options.ts';
import { OPERATOR_NAME, rbac } from '../../../operator/rbac.ts';
import { crdOf, WIDGET, widget } from '../../support/widget.ts';
import type { Widget, WidgetSpec } from '../../support/widget.ts';
import { mutationsSince, mark } from './audit.ts';
import { adminClient, serviceAccountToken } from './client.ts';
import { cluster } from './cluster.ts';
import { eventually } from './eventually.ts';

const admin = adminClient();
const USER_AGENT = 'trunnion-operator';

const RBAC_TYPES: Readonly<Record<string, ResourceType>> = {
  ServiceAccount: TYPES.serviceAccount,
  Role: TYPES.role,
  RoleBinding: TYPES.roleBinding,
};

/** Has the API server serve widgets for the tests of a file. It does so from then on, for the next file as well. */
export function serveWidgets(): void {
  beforeAll(async () => {
    await admin.apply(TYPES.customResourceDefinition, crdOf(WIDGET), { fieldManager: 'test' });
    await eventually(() => admin.list(WIDGET));
  });
}

/**
 * Runs the operator in a namespace, with the rights that it ships with, until the test ends.
 *
 * @returns what stops it before
 */
export async function operate(namespace: string, options: Partial<OperatorOptions> = {}): Promise<() => Promise<void>> {
  for (const object of rbac({ kinds: [widget], namespace, watchNamespace: namespace })) {
    await admin.apply(RBAC_TYPES[object.kind]!, object, { fieldManager: 'test' });
  }
  const token = await serviceAccountToken(admin, namespace, OPERATOR_NAME);
  const { url, ca } = cluster();
  return untilTestEnds(({ signal, started }) =>
    runOperator({
      connection: { from: 'fixed', connection: { url, ca, authorization: `Bearer ${token}`, namespace } },
      identity: TRUNNION,
      kinds: [widget],
      namespace,
      port: 0,
      host: '127.0.0.1',
      log: createLogger('silent'),
      signal,
      ...options,
      started: (port) => {
        started(port);
        options.started?.(port);
      },
    }),
  );
}

/** Applies a widget as its user does. */
export async function apply(namespace: string, name: string, spec: WidgetSpec): Promise<KubeObject> {
  const body = { apiVersion: 'test.trunnion.dev/v1', kind: 'Widget', metadata: { namespace, name }, spec };
  return admin.apply(WIDGET, body, { fieldManager: 'user' });
}

export const get = async (namespace: string, name: string): Promise<Widget> =>
  (await admin.get(WIDGET, { namespace, name })) as KubeObject & Widget;

/** Waits for a phase that is about the spec as it is now. */
export const inPhase = (namespace: string, name: string, phase: string): Promise<Widget> =>
  eventually(async () => {
    const found = await get(namespace, name);
    expect(found.status).toMatchObject({ phase, observedGeneration: found.metadata.generation });
    return found;
  });

/** What the operator has written since, as `VERB RESOURCE/NAME CODE`. */
export const ours = async (namespace: string, since: number) =>
  (await mutationsSince(admin, since))
    .filter((mutation) => mutation.userAgent === USER_AGENT && mutation.namespace === namespace)
    .map(({ verb, resource, name, code }) => `${verb} ${resource}/${name} ${code}`);

/** Waits until nothing is written any more. */
export const quiet = async (namespace: string): Promise<void> => {
  await eventually(async () => {
    const since = mark();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await ours(namespace, since)).toEqual([]);
  });
};

/** The object that is there now. */
export const child = (type: ResourceType, namespace: string, name: string): Promise<KubeObject> =>
  admin.get(type, { namespace, name });
