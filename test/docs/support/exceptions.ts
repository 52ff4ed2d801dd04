/** A command, as a page shows it, that is not run as the page is walked through, and why. */
export type Exception = { readonly page: string; readonly command: string } & (
  | /** A file that runs it, or what it does, and words in it that tell. */
    { readonly testedBy: string; readonly words: string }
  | /** Why nothing here can run it. */ { readonly cannotRun: string }
);

const CAMPAIGN = 'It takes hours; test/unit/faults has tests of what it is made of.';

/** All there are. A test fails where one is about nothing. */
export const EXCEPTIONS: readonly Exception[] = [
  ...['README.md', 'docs/quickstart.md'].map((page) => ({
    page,
    command: 'npm ci && npm run demo',
    testedBy: 'test/cluster/cli/demo.test.ts',
    words: "'cli/main.ts', 'demo'",
  })),
  { page: 'README.md', command: 'npm ci && npm test', testedBy: '.ci/run', words: 'npm run -s test' },
  { page: 'CONTRIBUTING.md', command: 'bash .ci/run', cannotRun: 'It is what runs the tests.' },
  {
    page: 'docs/quickstart.md',
    command: 'export KUBECONFIG=$(npm run -s trunnion -- cluster up)',
    testedBy: 'test/cluster/cli/cluster.test.ts',
    words: "'cluster', 'up'",
  },
  {
    page: 'docs/quickstart.md',
    command: 'npm run -s trunnion -- cluster down --delete-data',
    testedBy: 'test/cluster/cli/cluster.test.ts',
    words: "'cluster', 'down', '--delete-data'",
  },
  ...['npm run test:faults', 'npm run test:faults -- --teeth'].map((command) => ({
    page: 'docs/faults.md',
    command,
    cannotRun: CAMPAIGN,
  })),
  {
    page: 'docs/faults.md',
    command: 'npm run test:faults -- --kind ModelServing --only A1 --parallel 6 --json verdicts.json',
    cannotRun: CAMPAIGN,
  },
];
