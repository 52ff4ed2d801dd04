import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tooOldNode } from '../../../cli/node-version.ts';

const { engines }: { engines: { node: string } } = JSON.parse(readFileSync('package.json', 'utf8'));
const oldest = engines.node.replace('>=', '');

test.for(['20.20.2', '22.18.9', '18.0.0', '9.99.0'])(
  'Node.js %s is refused, with the one that is needed',
  (version) => {
    expect(tooOldNode(version)).toContain(`needs Node.js ${oldest} or newer, and this is ${version}`);
  },
);

test.for([`${oldest}.0`, '22.20.1', '24.0.0', '24.21.0', '100.1.0', '25.0.0-nightly2026'])(
  'Node.js %s runs it',
  (version) => {
    expect(tooOldNode(version)).toBeUndefined();
  },
);
