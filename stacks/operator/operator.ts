import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { withAtomicDefaults } from '../../constructs/atomic-defaults.ts';
import type { Manifest } from '../../constructs/workload.ts';
import { objects } from './objects.ts';
import { parseSettings, type SettingsInput } from './settings.ts';

/** Which operator, where, and how. */
export interface OperatorProps {
  /** The namespace of the operator itself, and of its Lease. */
  readonly namespace: string;
  /** The version of this package, which is the tag of its image. */
  readonly version: string;
  /** @default - two replicas that work in the whole cluster */
  readonly settings?: SettingsInput;
}

/**
 * The operator, with all that it needs: CRDs, its namespace, account and rights, Deployment, Service, NetworkPolicy and
 * PodDisruptionBudget.
 */
export class Operator extends Construct {
  readonly #objects: readonly ApiObject[];

  /** @throws SpecError where a setting is wrong */
  constructor(scope: Construct, id: string, { namespace, version, settings = {} }: OperatorProps) {
    super(scope, id);
    this.#objects = objects({ namespace, version, settings: parseSettings(settings) }).map(
      (manifest) => new ApiObject(this, `${manifest.kind}-${manifest.metadata.name}`, withAtomicDefaults(manifest)),
    );
  }

  /** All objects as plain JSON, in the order in which they can be applied. */
  render(): readonly Manifest[] {
    return this.#objects.map((object) => object.toJson() as Manifest);
  }
}
