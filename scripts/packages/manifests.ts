/** A package.json, as far as it is read here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Versions;
  readonly peerDependencies: Versions;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly [field: string]: unknown;
}

type Versions = Readonly<Record<string, string>>;

const CONSTRUCTS = 'trunnion';
export const OPERATOR = 'trunnion-operator';

/** What Pulumi starts for programs of other languages; the name of its command tells Pulumi what it is. */
export const PULUMI_PLUGIN = 'dist/stacks/pulumi/provider/main.js';

/** What both packages say of themselves in the same words. */
const COMMON = ['version', 'license', 'type', 'engines', 'keywords'] as const;

/**
 * package.json of `trunnion`: the constructs, for cdk8s and Pulumi.
 *
 * @param ours - that of this repository, which has the versions of everything
 * @param imported - the packages that its modules import
 */
export function constructsManifest(ours: Manifest, imported: ReadonlySet<string>): object {
  const { description, sideEffects, main, types, exports, peerDependenciesMeta } = ours;
  return {
    name: CONSTRUCTS,
    description,
    ...commonOf(ours),
    sideEffects,
    main,
    types,
    exports: {
      ...(exports as object),
      // For trunnion-operator of the same version, and for nobody else.
      './internal/*.js': { types: './dist/*.d.ts', default: './dist/*.js' },
    },
    bin: { trunnion: './bin/trunnion.js', 'pulumi-resource-trunnion': `./${PULUMI_PLUGIN}` },
    ...versionsOf(ours, imported),
    // Whose package manager keeps packages apart lets the command find it by this; npm needs no word of it.
    peerDependencies: { ...versionsOf(ours, imported).peerDependencies, [OPERATOR]: `^${ours.version}` },
    peerDependenciesMeta: { ...peerDependenciesMeta, [OPERATOR]: { optional: true } },
  };
}

/** package.json of `trunnion-operator`: the operator, as a program and as a library, and the command line. */
export function operatorManifest(ours: Manifest, imported: ReadonlySet<string>): object {
  const { dependencies, peerDependencies } = versionsOf(ours, imported);
  return {
    name: OPERATOR,
    description: 'The operator of Trunnion, as a program and as a library, and its command line',
    ...commonOf(ours),
    sideEffects: false,
    exports: {
      '.': { types: './dist/operator/index.d.ts', default: './dist/operator/index.js' },
      './testing': { types: './dist/testing/index.d.ts', default: './dist/testing/index.js' },
      './kinds': { types: './dist/compat/kinds/index.d.ts', default: './dist/compat/kinds/index.js' },
      './cli': './dist/cli/main.js',
      './crds/*': './crds/*',
      './package.json': './package.json',
    },
    bin: {
      'kubectl-trunnion': './dist/cli/main.js',
      'kubectl_complete-trunnion': './dist/cli/kubectl-complete.js',
    },
    // A program brings all that it needs; a library shares the constructs with who writes them.
    dependencies: { ...dependencies, [CONSTRUCTS]: ours.version },
    peerDependencies,
  };
}

const commonOf = (ours: Manifest): object => Object.fromEntries(COMMON.map((field) => [field, ours[field]]));

/** The versions of what is imported: what isn't named is forgotten, and what is too much is taken by nobody. */
function versionsOf(ours: Manifest, imported: ReadonlySet<string>) {
  const versions = { dependencies: {} as Record<string, string>, peerDependencies: {} as Record<string, string> };
  for (const name of [...imported].toSorted()) {
    if (name === CONSTRUCTS) continue;
    const part = ours.peerDependencies[name] === undefined ? 'dependencies' : 'peerDependencies';
    const version = ours[part][name];
    if (version === undefined)
      throw new Error(`${name} is imported by what is published, but package.json has it for developers`);
    versions[part][name] = version;
  }
  return versions;
}
