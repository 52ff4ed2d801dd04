import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { convert } from '../../../../cli/convert/convert.ts';
import { printEquals } from '../../../../cli/convert/print.ts';
import { corpus } from '../../../support/shapes/corpus/index.ts';

describe.each(
  corpus.map((document) => [`${document.source.kind} ${document.source.metadata.name}`, document] as const),
)('the equal of %s', (_, { source, missing }) => {
  const equal = convert(source, [source])!;

  test('is valid, but for what its user alone can say', () => {
    expect(equal.problems.filter(({ path }) => !missing.includes(path))).toEqual([]);
    expect([...new Set(equal.problems.map(({ path }) => path))].toSorted()).toEqual([...missing].toSorted());
  });

  test('is printed as it is', () => {
    expect(parse(printEquals([equal]))).toEqual(JSON.parse(JSON.stringify(equal.manifest)));
  });
});
