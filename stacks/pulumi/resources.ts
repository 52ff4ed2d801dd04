import type * as pulumi from '@pulumi/pulumi';
import * as k8s from '@pulumi/kubernetes';
import type { MergedManifest } from './rendering.ts';

type ResourceClass = new (
  name: string,
  args: MergedManifest,
  opts: pulumi.CustomResourceOptions,
) => pulumi.CustomResource;

/** How the resource of an object is made. */
export interface ResourceType {
  readonly make: ResourceClass;
  /**
   * The types that it had, or will have, in the same place: no such change may take another object.
   *
   * @default - none
   */
  readonly aliases?: readonly string[];
}

/**
 * The groups that Kubernetes itself serves, of which the SDK has classes. Told one by one, since their names don't tell:
 * `gateway.networking.k8s.io` is none of them.
 */
const BUILT_IN: Readonly<Record<string, object>> = {
  v1: k8s.core.v1,
  'apps/v1': k8s.apps.v1,
  'autoscaling/v2': k8s.autoscaling.v2,
  'batch/v1': k8s.batch.v1,
  'networking.k8s.io/v1': k8s.networking.v1,
  'policy/v1': k8s.policy.v1,
  'rbac.authorization.k8s.io/v1': k8s.rbac.v1,
};

const CLAIM = 'kubernetes:core/v1:PersistentVolumeClaim';
/** Creates what is not there, and takes over what is: the provider refuses that of all others ("already exists"). */
const ADOPTING_CLAIM = `${CLAIM}Patch`;

/**
 * The type of the resource of an object: its own where the SDK has one, else that of custom resources. A claim that is
 * retained may be there already, since it stayed when the program no longer had it, so it is taken back.
 */
export function typeOf({ apiVersion, kind }: MergedManifest, retained: boolean): ResourceType {
  if (apiVersion === 'v1' && kind === 'PersistentVolumeClaim') {
    return retained
      ? { make: k8s.core.v1.PersistentVolumeClaimPatch as unknown as ResourceClass, aliases: [CLAIM] }
      : { make: k8s.core.v1.PersistentVolumeClaim as unknown as ResourceClass, aliases: [ADOPTING_CLAIM] };
  }
  const group = BUILT_IN[apiVersion] as Readonly<Record<string, ResourceClass>> | undefined;
  // The SDK's classes take what is in a manifest; their types can't be told from a type that is only known here.
  return { make: group?.[kind] ?? k8s.apiextensions.CustomResource };
}

/** What the provider creates again, under the name that it has, where its content changes or, of a Job, where it failed. */
const RECREATED = new Set(['ConfigMap', 'Job']);

/**
 * In which order an object is replaced: first the old one goes where both may have the same name.
 *
 * The provider asks for that by itself. But a transform that hands on the options that it got overrules it: Pulumi's SDK
 * gives it `deleteBeforeReplace: false` where nobody said anything (@pulumi/pulumi 3.270.0, runtime/callbacks.js,
 * registerTransform), and the new object "already exists". Said here, it comes through. Nothing else is deleted with these
 * two: no other object has a value from them, so the engine finds nothing that depends on one.
 */
export const replacingOf = ({ kind }: MergedManifest): Pick<pulumi.CustomResourceOptions, 'deleteBeforeReplace'> =>
  RECREATED.has(kind) ? { deleteBeforeReplace: true } : {};

/** The manifest with more annotations, which are for Pulumi's provider alone. */
export const annotated = (manifest: MergedManifest, annotations: Readonly<Record<string, string>>): MergedManifest =>
  Object.keys(annotations).length === 0
    ? manifest
    : {
        ...manifest,
        metadata: { ...manifest.metadata, annotations: { ...manifest.metadata.annotations, ...annotations } },
      };
