import type { Names } from '../names.ts';
import type { ProjectFile } from '../types.ts';

/** What a change must pass, on GitHub. */
export const ciFile = ({ operator }: Names): ProjectFile => ({
  path: '.github/workflows/ci.yml',
  text: `name: ci
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v6
      - uses: actions/setup-node@v6
        with:
          node-version: 24
          cache: npm
      - run: npm ci
      - run: npm test
      - run: npm run chart
      - run: helm lint chart && helm template ${operator} chart > /dev/null
      - run: npm run image
`,
});
