import { TRUNNION } from '../../operator/trunnion.ts';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { KINDS } from '../../constructs/kinds.ts';
import { GROUP, VERSION } from '../../constructs/schema/kind.ts';
import { TYPES } from '../../operator/kube/client/resource-types.ts';
import type { KubeObject, ResourceType } from '../../operator/kube/index.ts';
import { mark } from './support/audit.ts';
import { adminClient } from './support/client.ts';
import { eventually } from './support/eventually.ts';
import { testNamespace } from './support/namespace.ts';
import { installTrunnion, startOperator } from './support/operator.ts';
import { modelServingType, ServingUnderTest, servingSpec } from './support/serving.ts';
import { operatorWrites, rest } from './support/writes.ts';

const admin = adminClient();

beforeAll(() => installTrunnion(admin));

/** The field manager of Argo CD 3.6 (ArgoCDSSAManager in common/common.go), which applies by force. */
const ARGO_CD = 'argocd-controller';

/** What an app `storefront` has on its objects: the label by which Argo CD 2 tracks them, and the annotation of Argo CD 3. */
const TRACKED = {
  labels: { 'app.kubernetes.io/instance': 'storefront' },
  annotations: { 'argocd.argoproj.io/tracking-id': 'storefront:trunnion.dev/ModelServing:models/llama' },
};

/** What keeps an object that has no owner from being pruned. */
const KEPT = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/** A resource of ours as Git has it. */
interface Declared {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly [field: string]: unknown;
}

const typeOf = ({ kind }: Declared): ResourceType => {
  const { plural = '' } = KINDS.find((each) => each.kind === kind) ?? {};
  return { group: GROUP, version: VERSION, kind, plural };
};

/** Applies as a sync of Argo CD with ServerSideApply=true does. */
const sync = (object: Declared): Promise<KubeObject> =>
  admin.apply(typeOf(object), object, { fieldManager: ARGO_CD, force: true });

/** Who owns which fields of an object, but for its status. */
const owned = ({ metadata }: KubeObject) =>
  Object.fromEntries(
    (metadata.managedFields ?? []).flatMap(({ manager, subresource, fieldsV1 }) =>
      subresource === undefined ? [[manager, fieldsV1]] : [],
    ),
  );

const exampleFiles = [
  'agent-service.yaml',
  'distributed-training.yaml',
  'model-serving-cpu.yaml',
  'model-serving.yaml',
  'tuning.yaml',
  'full/agent-service.yaml',
  'full/distributed-training.yaml',
];

describe('a sync of Argo CD, server-side,', () => {
  it('changes nothing of any example when it is repeated, since the operator writes into none of its fields', async () => {
    const namespace = await testNamespace(admin);
    await startOperator(admin, namespace);
    const objects = await Promise.all(
      exampleFiles.map(async (file): Promise<Declared> => {
        const object = parse(await readFile(`examples/${file}`, 'utf8')) as Declared;
        return { ...object, metadata: { ...TRACKED, name: file.replaceAll(/\W/g, '-'), namespace } };
      }),
    );
    for (const object of objects) await sync(object);
    for (const object of objects) {
      await eventually(async () => {
        const { status } = (await admin.get(typeOf(object), object.metadata)) as { status?: { phase?: string } };
        expect(status?.phase).toBeDefined();
      });
    }
    await rest(admin);
    for (const object of objects) {
      const settled = await admin.get(typeOf(object), object.metadata);
      const again = await sync(object);
      expect(again.metadata.resourceVersion, object.metadata.name).toBe(settled.metadata.resourceVersion);
      expect(again).toEqual(settled);
      const { [ARGO_CD]: _, [TRUNNION.fieldManager]: ours, ...others } = owned(settled);
      expect(others).toEqual({});
      expect(Object.keys(ours ?? {})).toEqual(ours === undefined ? [] : ['f:metadata']);
      expect(settled.metadata.managedFields?.map(({ manager }) => manager)).toContain(TRUNNION.statusManager);
    }
  });
});

describe('what an app of Argo CD tracks', () => {
  const retained = { ...servingSpec, storage: { ...servingSpec.storage, retain: true } };
  const TYPES_OF_CHILDREN = [
    TYPES.deployment,
    TYPES.service,
    TYPES.job,
    TYPES.configMap,
    TYPES.serviceAccount,
    TYPES.networkPolicy,
    TYPES.persistentVolumeClaim,
  ];

  async function setUp(name: string): Promise<ServingUnderTest> {
    const namespace = await testNamespace(admin);
    await startOperator(admin, namespace);
    const serving = new ServingUnderTest(admin, namespace, name);
    const type = { apiVersion: `${GROUP}/${VERSION}`, kind: 'ModelServing' };
    const object = { ...type, metadata: { ...TRACKED, name, namespace }, spec: retained };
    await sync(object);
    await serving.reaches('Running');
    return serving;
  }

  const claimOf = async ({ namespace }: ServingUnderTest): Promise<KubeObject> => {
    const [claim] = (await admin.list(TYPES.persistentVolumeClaim, { namespace })).items;
    if (!claim) throw new Error('there is no claim');
    return claim;
  };

  it('is on no child of its resources, and a child without an owner is kept from being pruned', async () => {
    const { namespace, name } = await setUp('llama');
    const lists = await Promise.all(
      TYPES_OF_CHILDREN.map((type) =>
        admin.list(type, { namespace, labelSelector: 'app.kubernetes.io/managed-by=trunnion' }),
      ),
    );
    const children = lists.flatMap(({ items }) => items);
    expect(children.length).toBeGreaterThan(5);
    for (const { metadata } of children) {
      const { labels = {}, annotations = {}, ownerReferences = [] } = metadata;
      expect(labels['app.kubernetes.io/instance']).toBe(name);
      expect(Object.keys(annotations)).not.toContain('argocd.argoproj.io/tracking-id');
      // What has an owner is no object of an app: GetManagedLiveObjs in gitops-engine's pkg/cache/cluster.go.
      if (ownerReferences.length === 0) expect(annotations).toMatchObject(KEPT);
    }
    expect(children.filter(({ metadata }) => !metadata.ownerReferences?.length)).toHaveLength(1);
  });

  it('leaves a retained volume as it is once the app and its resource are gone', async () => {
    const serving = await setUp('llama');
    const before = await claimOf(serving);
    await serving.delete();
    await eventually(async () => expect(await admin.find(modelServingType, serving)).toBeUndefined(), {
      timeout: 60_000,
    });
    const after = await claimOf(serving);
    expect(after.metadata).toMatchObject({ uid: before.metadata.uid, annotations: KEPT });
    expect(after.metadata.deletionTimestamp).toBeUndefined();
  });

  it('has the annotations of a volume put back once, when somebody has removed them', async () => {
    const serving = await setUp('llama');
    const claim = await claimOf(serving);
    await rest(admin);
    const from = mark();
    const removed = Object.fromEntries(Object.keys(KEPT).map((key) => [key, null]));
    await admin.patch(TYPES.persistentVolumeClaim, claim.metadata, { metadata: { annotations: removed } });
    await eventually(async () => expect((await claimOf(serving)).metadata.annotations).toMatchObject(KEPT));
    await rest(admin);
    const writes = await operatorWrites(admin, from);
    expect(writes.filter(({ resource }) => resource === 'persistentvolumeclaims')).toHaveLength(1);
  });
});
