import { KubeConfig } from '@kubernetes/client-node';
import { convert } from '../../../compat/convert/convert.ts';
import { CliError } from '../../../cli/errors.ts';
import { parseManifests, printManifests } from '../../../cli/manifests.ts';
import { kubeconfigJson } from '../../../operator/kube/client/kubeconfig-text.ts';
import { holds, type Target } from '../target.ts';

/** A file that a user was given. */
const manifests: Target = {
  name: 'manifests',
  run(bytes) {
    const read = parseManifests(bytes.toString(), 'file');
    const printed = printManifests(read);
    holds(printManifests(parseManifests(printed, 'printed')) === printed, 'what is printed is read as it was');
  },
  refusals: [CliError],
  // To read that much YAML takes a second, whatever it says.
  repeats: false,
};

/** A resource of somebody else's operator. */
const conversion: Target = {
  name: 'conversion',
  run(bytes) {
    const read = parseManifests(bytes.toString(), 'file');
    for (const manifest of read) {
      const equal = convert(manifest, read);
      if (equal !== undefined) holds(printManifests([equal.manifest]) !== '', 'what is converted can be printed');
    }
  },
  refusals: [CliError],
  // As "manifests".
  repeats: false,
};

/** The plain part of it: who runs a program to get credentials has chosen that. */
const kubeconfig: Target = {
  name: 'kubeconfig',
  run(bytes) {
    const config = new KubeConfig();
    config.loadFromString(kubeconfigJson(bytes.toString()));
    const cluster = config.getCurrentCluster();
    holds(cluster === null || typeof cluster === 'object', 'there is a cluster, or none');
  },
  refusals: [Error],
  // As "manifests".
  repeats: false,
};

export const fileTargets: readonly Target[] = [manifests, conversion, kubeconfig];
