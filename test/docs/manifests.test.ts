import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { adminClient } from '../cluster/support/client.ts';
import { installTrunnion } from '../cluster/support/operator.ts';
import { installExtensions } from '../cluster/support/other-crds.ts';
import { Terminal } from '../compat/support/terminal.ts';
import { type Block, blocks, fileOf, languageOf } from '../support/markdown.ts';
import { clearStage, namespacesOf } from './support/stages.ts';

/** Kinds, or groups, whose CRDs are not had here, or that no API server has, and the pages that show such objects. */
const UNKNOWN: Readonly<Record<string, string>> = {
  'TFJob.kubeflow.org': 'docs/migration/kubeflow-jobs.md',
  'MPIJob.kubeflow.org': 'docs/migration/kubeflow-jobs.md',
  'Experiment.kubeflow.org': 'docs/migration/kubeflow-jobs.md',
  'acme.dev': 'docs/build-an-operator.md',
  'kustomize.config.k8s.io': 'docs/install.md',
  'serving.kserve.io': 'docs/migration/kserve.md',
  'kubeai.org': 'docs/migration/others.md',
  'kagent.dev': 'docs/migration/others.md',
  'argoproj.io': 'docs/recipes/argo-cd.md',
  'source.toolkit.fluxcd.io': 'docs/recipes/flux.md',
  'kustomize.toolkit.fluxcd.io': 'docs/recipes/flux.md',
  'karpenter.sh': 'docs/recipes/karpenter.md',
  'karpenter.k8s.aws': 'docs/recipes/karpenter.md',
};

interface Shown {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly namespace?: string };
}

const objectsOf = ({ text }: Block): readonly Shown[] =>
  parseAllDocuments(text).map((document) => (document.toJS() ?? {}) as Shown);

/** A kind that is listed by itself, else its group. */
function groupOf({ apiVersion = '', kind = '' }: Shown): string {
  const group = apiVersion.split('/')[0] ?? '';
  return `${kind}.${group}` in UNKNOWN ? `${kind}.${group}` : group;
}
const isUnknown = (object: Shown): boolean => groupOf(object) in UNKNOWN;

const admin = adminClient();
const shown = (await blocks())
  .filter((block) => languageOf(block) === 'yaml')
  .map((block) => ({ ...block, objects: objectsOf(block) }));
const manifests = shown.filter(({ objects }) => objects.some((each) => each.apiVersion !== undefined));

let removeOthers: () => Promise<void>;
let namespaces: ReadonlySet<string>;

beforeAll(async () => {
  namespaces = await namespacesOf(admin);
  await installTrunnion(admin, { compat: true });
  removeOthers = await installExtensions(admin, 'PyTorchJob', 'TrainJob');
});
afterAll(async () => {
  try {
    await clearStage(admin, namespaces);
  } finally {
    await removeOthers();
  }
});

test.for(manifests.filter(({ objects }) => !objects.some(isUnknown)))(
  'the API server takes the objects that $file shows',
  async ({ text, objects }) => {
    const terminal = new Terminal('default');
    for (const namespace of new Set(objects.flatMap(({ metadata }) => metadata?.namespace ?? []))) {
      await terminal.run(`kubectl create namespace ${namespace} --dry-run=client -o yaml | kubectl apply -f -`);
    }
    terminal.write('shown.yaml', text);
    expect(await terminal.run('kubectl apply --dry-run=server -f shown.yaml')).toContain('(server dry run)');
  },
);

test('objects that no API server can judge are those of the groups that are named', () => {
  const pages = manifests.flatMap(({ file, objects }) =>
    objects.filter(isUnknown).map((object) => [groupOf(object), file] as const),
  );
  expect(Object.fromEntries(pages)).toEqual(UNKNOWN);
});

test('YAML that is no object is a file that its page has its reader save', () => {
  const others = shown.filter((block) => !manifests.includes(block) && fileOf(block) === undefined);
  expect(others).toEqual([]);
});
