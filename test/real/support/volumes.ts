import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeClient } from '../../../operator/kube/client/client.ts';
import { TYPES } from '../../../operator/kube/client/resource-types.ts';
import type { KubeObject } from '../../../operator/kube/client/types.ts';
import { sha256Of } from '../sources/content.ts';

/** The volume of a model on the real node, whose folder lies on this machine. */
export class WeightsVolume {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * @param dir - the cluster's folder
   * @throws where the model has no volume yet
   */
  static async of(dir: string, client: KubeClient, namespace: string, name: string): Promise<WeightsVolume> {
    const labelSelector = `app.kubernetes.io/instance=${name}`;
    const { items } = await client.list(TYPES.persistentVolumeClaim, { namespace, labelSelector });
    const claim = items[0] as (KubeObject & { readonly spec: { readonly volumeName?: string } }) | undefined;
    if (claim?.spec.volumeName === undefined) throw new Error(`${name} has no volume`);
    return new WeightsVolume(join(dir, 'node/volumes', claim.spec.volumeName));
  }

  /** Bytes of a file that is under way. */
  staged(file: string): number {
    const [path] = globSync(join(this.#folder, `.trunnion-staging-*/parts/${file}`));
    return path === undefined ? 0 : statSync(path).size;
  }

  /** Whether a model is told to be complete on it. */
  get isComplete(): boolean {
    return existsSync(join(this.#folder, '.trunnion-complete.json'));
  }

  sha256(file: string): string {
    return sha256Of(readFileSync(join(this.#folder, 'weights', file)));
  }
}
