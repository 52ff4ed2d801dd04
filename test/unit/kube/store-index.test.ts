import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StoreIndex } from '../../../operator/kube/cache/store.ts';

test('an index finds under each name the keys that were added and not deleted', () => {
  const few = fc.constantFrom('a', 'b', 'c');
  const steps = fc.array(fc.record({ adds: fc.boolean(), name: few, key: few }));
  fc.assert(
    fc.property(steps, (each) => {
      const index = new StoreIndex();
      const expected = new Set<string>();
      for (const { adds, name, key } of each) {
        index[adds ? 'add' : 'delete'](name, key);
        expected[adds ? 'add' : 'delete'](`${name}/${key}`);
      }
      const found = ['a', 'b', 'c'].flatMap((name) => index.get(name).map((key) => `${name}/${key}`));
      expect(found.toSorted()).toEqual([...expected].toSorted());
    }),
  );
});
