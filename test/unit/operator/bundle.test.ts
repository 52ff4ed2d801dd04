import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../scripts/image/bundle.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-bundle-'));
const programs = (): readonly string[] => readdirSync(folder).filter((file) => file.endsWith('.js'));

beforeAll(async () => {
  await bundle(folder, { meter: 'test/scale/support/meter.ts' });
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the bundle', () => {
  it('has the programs of the operator, and those that are asked for beside them', () => {
    expect(programs()).toEqual(['kubeconfig-child.js', 'lease-worker.js', 'meter.js', 'operator.js']);
  });

  it('is ASCII, so that Node keeps a byte of memory for each letter, and not two', () => {
    for (const program of programs()) {
      expect(readFileSync(join(folder, program), 'utf8').match(/[^\p{ASCII}]/gu), program).toBeNull();
    }
  });
});
