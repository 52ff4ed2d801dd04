import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { OPERATOR_NAMESPACE } from '../../../cli/options.ts';
import { packageVersion } from '../../../cli/package.ts';
import { OPERATOR_NAME } from '../../../operator/rbac.ts';
import { printYaml } from '../../../yaml/print.ts';
import { OPERATOR } from '../../../scripts/image/config.ts';
import { writeOperatorImage } from '../../../scripts/image/operator.ts';
import { trunnion } from '../../support/trunnion.ts';
import { available } from './pods.ts';
import type { Testbed } from './testbed.ts';

/** Gives the node the image that is released, of this version or another one. */
export async function loadOperatorImage({ dir, cluster }: Testbed, version: string = packageVersion()): Promise<void> {
  const image = join(dir, 'operator.tar');
  await writeOperatorImage(image, { ...OPERATOR, compressed: false }, version);
  await cluster.loadImage(image);
}

/**
 * Installs the operator as `trunnion install` does, in a version whose image the node has, and waits for its two replicas. Where another
 * one is installed, it is an upgrade.
 */
export async function installOperator(testbed: Testbed, version: string = packageVersion()): Promise<void> {
  const values = join(testbed.dir, 'values.yaml');
  writeFileSync(values, printYaml({ image: { tag: version } }));
  const { kubeconfig } = testbed.cluster;
  const { code, stderr } = await trunnion(['install', '--values', values, '--kubeconfig', kubeconfig]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  await available(testbed.client, OPERATOR_NAMESPACE, OPERATOR_NAME, 2);
}
