const PAGE = 'docs/operator-tools.md';
const KIND = 'test/unit/cli/kind/commands.test.ts';
const LIVE = 'test/cluster/cli/user-kinds.test.ts';

/** What is typed in a project of an operator, which the walk has not made; and what takes a registry or minutes. */
export const OPERATORS = [
  {
    page: PAGE,
    command: 'npx trunnion new acme-operator --group acme.dev --kind WebApp',
    testedBy: 'test/support/new-project.ts',
    words: "'trunnion', 'new'",
  },
  {
    page: PAGE,
    command: 'npx trunnion kind crd src/operator.ts | kubectl apply -f -',
    testedBy: 'test/package/new.test.ts',
    words: "'kind', 'crd', 'src/operator.ts'",
  },
  { page: PAGE, command: 'npx trunnion kind rbac src/operator.ts --namespace acme', testedBy: KIND, words: "'rbac'" },
  {
    page: PAGE,
    command: 'npx trunnion kind docs src/operator.ts > web-app.md',
    testedBy: KIND,
    words: "'kind', 'docs'",
  },
  {
    page: PAGE,
    command: 'npx trunnion kind chart src/operator.ts --image registry.example.com/acme/acme-operator --out chart',
    testedBy: KIND,
    words: "'kind', 'chart'",
  },
  {
    page: PAGE,
    command: 'npx trunnion render -f example.yaml --kinds src/operator.ts',
    testedBy: LIVE,
    words: "'render', '-f', '-', '--kinds'",
  },
  {
    page: PAGE,
    command: 'npx trunnion plan -f example.yaml --kinds src/operator.ts',
    testedBy: LIVE,
    words: "'plan'",
  },
  {
    page: PAGE,
    command: 'npx trunnion graph -f example.yaml --kinds src/operator.ts > hello.svg',
    testedBy: 'test/unit/cli/user-kinds/commands.test.ts',
    words: "'graph', '-o', 'json', '-f', '-', '--kinds'",
  },
  { page: PAGE, command: 'npx trunnion status hello --kinds src/operator.ts', testedBy: LIVE, words: "'status'" },
  { page: PAGE, command: 'npx trunnion adopt webapp/hello --kinds src/operator.ts', testedBy: LIVE, words: "'adopt'" },
  {
    page: 'docs/build-an-operator.md',
    command: 'npm install trunnion-operator cdk8s constructs zod',
    cannotRun: 'It takes the packages from a registry; test/package installs those that are packed.',
  },
  {
    page: 'docs/build-an-operator.md',
    command: 'node preview.faults.ts',
    testedBy: 'test/operators/operators.test.ts',
    words: "plans: 'few'",
  },
] as const;
