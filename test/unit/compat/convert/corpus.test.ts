import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { convert } from '../../../../compat/convert/convert.ts';
import { printEquivalents } from '../../../../cli/convert/print.ts';
import { corpus } from '../../../support/shapes/corpus/index.ts';

describe.each(
  corpus.map((document) => [`${document.source.kind} ${document.source.metadata.name}`, document] as const),
)('the equivalent of %s', (_, { source, missing }) => {
  const equivalent = convert(source, [source])!;

  test('is valid, but for what its user alone can say', () => {
    expect(equivalent.problems.filter(({ path }) => !missing.includes(path))).toEqual([]);
    expect([...new Set(equivalent.problems.map(({ path }) => path))].toSorted()).toEqual([...missing].toSorted());
  });

  test('is printed as it is', () => {
    expect(parse(printEquivalents([equivalent]))).toEqual(JSON.parse(JSON.stringify(equivalent.manifest)));
  });
});
