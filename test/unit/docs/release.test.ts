import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageVersion } from '../../../cli/package.ts';
import { pages } from '../../support/markdown.ts';

test.for([...(await pages()), 'Containerfile'])('%s names the image of this version, and no earlier one', (page) => {
  const named = readFileSync(page, 'utf8').matchAll(/trunnion-operator[:-](\d+\.\d+\.\d+)/g);
  for (const [, version] of named) expect(version).toBe(packageVersion());
});
