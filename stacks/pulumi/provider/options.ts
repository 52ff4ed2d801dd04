import type * as pulumi from '@pulumi/pulumi';
import type { WorkloadOptions } from '../component.ts';

/** Timeouts as the SDK hands them over: @pulumi/pulumi 3.270.0, proto/provider_pb.js, ConstructRequest.CustomTimeouts. */
interface SentTimeouts extends pulumi.CustomTimeouts {
  /** Its generated classes call `delete` so. */
  readonly pb_delete?: string;
}

/**
 * The options of a component, as the program gave them. The SDK fills in texts that are empty, lists without items and
 * `false`: what nobody gave must not take the place of our own timeouts.
 *
 * @param dependencies - of the inputs: each object is made after them, and deleted before
 */
export function givenOptions(
  options: pulumi.ComponentResourceOptions,
  dependencies: ReadonlySet<pulumi.Resource>,
): WorkloadOptions {
  const { customTimeouts, retainOnDelete, dependsOn, ...rest } = options;
  const { create, update, delete: own, pb_delete: sent } = (customTimeouts ?? {}) as SentTimeouts;
  const timeouts = Object.entries({ create, update, delete: own ?? sent }).filter(([, value]) => Boolean(value));
  // The SDK gives a list.
  const before = (dependsOn ?? []) as readonly pulumi.Resource[];
  return {
    ...rest,
    dependsOn: [...new Set([...before, ...dependencies])],
    ...(timeouts.length > 0 && { customTimeouts: Object.fromEntries(timeouts) }),
    ...(retainOnDelete === true && { retainOnDelete }),
  };
}
