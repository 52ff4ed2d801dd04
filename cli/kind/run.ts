import type { Io } from '../io.ts';
import { foundIn } from '../user-kinds/found.ts';
import { loadModule } from '../user-kinds/load.ts';
import { operatorOf } from '../user-kinds/operator.ts';
import { chartFiles, crdFiles, docsFiles, rbacFiles } from './files.ts';
import { repositoryOf } from './image.ts';
import { asDocuments, asPages, clearChart, underPaths, writeFiles } from './output.ts';
import { packageOf } from './package.ts';

/** The options of all verbs. */
export interface KindOptions {
  /** @default - stdout */
  readonly out?: string;
}

/** The options of verbs about the operator. */
export interface OperatorFlags extends KindOptions {
  /** @default - what the module says */
  readonly name?: string;
}

/** The options of `trunnion kind rbac`. */
export interface RbacOptions extends OperatorFlags {
  /** @default - the operator's name */
  readonly namespace?: string;
  readonly watchNamespace?: string;
}

/** The options of `trunnion kind chart`. */
export interface ChartOptions extends OperatorFlags {
  readonly image?: string;
}

/** Prints the CRDs of a module's kinds. */
export async function kindCrd(io: Io, file: string, { out }: KindOptions): Promise<void> {
  const found = foundIn(await loadModule(file));
  const files = crdFiles(found.kinds, () => operatorOf(file, found));
  await writeFiles(io, files, out, asDocuments);
}

/** Prints the reference pages of a module's kinds. */
export async function kindDocs(io: Io, file: string, { out }: KindOptions): Promise<void> {
  const { kinds } = foundIn(await loadModule(file));
  await writeFiles(io, docsFiles(kinds), out, asPages);
}

/** Prints the account and roles of the operator of a module's kinds. */
export async function kindRbac(io: Io, file: string, { out, name, ...place }: RbacOptions): Promise<void> {
  const operator = operatorOf(file, foundIn(await loadModule(file)), { name, flag: '--name' });
  const files = rbacFiles(operator, { namespace: operator.identity.name, ...place });
  await writeFiles(io, files, out, asDocuments);
}

/** Prints the chart of the operator of a module's kinds. */
export async function kindChart(io: Io, file: string, { out, name, image }: ChartOptions): Promise<void> {
  const operator = operatorOf(file, foundIn(await loadModule(file)), { name, flag: '--name' });
  const words = {
    ...(await packageOf(file)),
    ...(image !== undefined && { image: repositoryOf(image) }),
    command: `trunnion kind chart ${file}`,
  };
  const files = chartFiles(operator, words);
  await clearChart(out, operator.identity.name);
  await writeFiles(io, files, out, underPaths);
}
