import type { Names } from '../names.ts';
import type { ProjectFile, Versions } from '../types.ts';

/** Of what this package itself does not depend on; a test compares them with what it is developed with. */
export const TOOLS = { 'cdk8s-plus-28': '^2.5.6', typescript: '^7.0.2', '@types/node': '^24.19.2' } as const;

/** package.json, tsconfig.json and .gitignore. */
export const packageFiles = (names: Names, versions: Versions): readonly ProjectFile[] => [
  { path: 'package.json', text: json(manifest(names, versions)) },
  { path: 'tsconfig.json', text: json(TSCONFIG) },
  { path: '.gitignore', text: 'node_modules/\nchart/\n*.log\n' },
];

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

function manifest({ operator, kind }: Names, versions: Versions) {
  const deploy = `helm upgrade --install ${operator} chart --namespace ${operator} --create-namespace`;
  return {
    name: operator,
    version: '0.1.0',
    private: true,
    description: `The operator of ${kind}`,
    type: 'module',
    scripts: {
      test: 'tsc && node --test "test/*.test.ts"',
      'test:faults': 'node --test test/faults/faults.test.ts',
      crd: 'npx trunnion kind crd src/operator.ts',
      dev: 'npm run --silent crd | kubectl apply -f - && node --watch src/operator.ts',
      image: `docker build --tag ${operator}:$npm_package_version .`,
      chart: 'npx trunnion kind chart src/operator.ts --out chart',
      deploy: `npm run chart && ${deploy}`,
    },
    dependencies: {
      cdk8s: versions.cdk8s,
      'cdk8s-plus-28': TOOLS['cdk8s-plus-28'],
      constructs: versions.constructs,
      'trunnion-operator': versions.operator,
      zod: versions.zod,
    },
    devDependencies: { '@types/node': TOOLS['@types/node'], typescript: TOOLS.typescript },
    engines: { node: '>=22.19' },
  };
}

/** Node.js runs the files as they are: it removes types, and translates nothing. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  },
  include: ['src', 'test'],
};
