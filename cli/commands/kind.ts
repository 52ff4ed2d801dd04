import { Command } from 'commander';
import type { Io } from '../io.ts';
import type { ChartOptions, KindOptions, RbacOptions } from '../kind/run.ts';
import { GROUPS, withExamples } from '../options.ts';

const ABOUT_MODULE =
  'The module exports what defineKind gives, or calls operate. It is loaded for that: what it does while it is loaded, it does here, but operate runs nothing.';

/** `trunnion kind`: what an operator of one's own ships. */
export function kindCommand(io: Io): Command {
  const command = new Command('kind')
    .helpGroup(GROUPS.develop)
    .summary('Print the CRD, rights, chart, docs of your own kinds.')
    .description(`Print what follows from kinds of your own. ${ABOUT_MODULE}`);
  const crd = verb(command, 'crd', 'Print the CustomResourceDefinitions of its kinds.').action(
    async (file: string, options: KindOptions) => (await import('../kind/run.ts')).kindCrd(io, file, options),
  );
  const rbac = withName(
    verb(command, 'rbac', "Print the operator's ServiceAccount with its roles, and ClusterRoles for users."),
  )
    .option('-n, --namespace <name>', "namespace of the operator (default: the operator's name)")
    .option('--watch-namespace <name>', 'the one namespace that it works in (default: the whole cluster)')
    .action(async (file: string, options: RbacOptions) => (await import('../kind/run.ts')).kindRbac(io, file, options));
  const chart = withName(
    verb(
      command,
      'chart',
      'Print the Helm chart: CRDs, rights, Deployment and its Service. Its version is that of the package.json above the module.',
    ),
  )
    .option(
      '--image <repository>',
      "where the operator's image is, without a tag (default: docker.io/library/ and the operator's name)",
    )
    .action(async (file: string, options: ChartOptions) =>
      (await import('../kind/run.ts')).kindChart(io, file, options),
    );
  const docs = verb(command, 'docs', 'Print a reference page of each kind, in Markdown.').action(
    async (file: string, options: KindOptions) => (await import('../kind/run.ts')).kindDocs(io, file, options),
  );
  withExamples(
    crd,
    'trunnion kind crd src/operator.ts | kubectl apply -f -',
    'trunnion kind crd src/web-app.ts --out crds',
  );
  withExamples(
    rbac,
    'trunnion kind rbac src/operator.ts',
    'trunnion kind rbac src/web-app.ts --name acme-operator -n acme',
  );
  withExamples(
    chart,
    'trunnion kind chart src/operator.ts --out chart',
    'trunnion kind chart src/operator.ts --image registry.example.com/acme/acme-operator --out chart',
  );
  withExamples(docs, 'trunnion kind docs src/web-app.ts > web-app.md', 'trunnion kind docs src/operator.ts --out docs');
  return withExamples(
    command,
    'trunnion kind crd src/operator.ts | kubectl apply -f -',
    'trunnion kind chart src/operator.ts --out chart',
  );
}

const verb = (command: Command, name: string, description: string): Command =>
  command
    .command(name)
    .description(description)
    .argument('<module>', 'file that exports the kinds, or that calls operate with them')
    .option('--out <path>', 'folder to write the files to (default: stdout)');

const withName = (command: Command): Command =>
  command.option('--name <name>', "the operator's name (default: what the module says)");
