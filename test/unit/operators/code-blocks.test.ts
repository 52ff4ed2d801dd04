import { expect, it } from 'vitest';
import { codeBlocksOf } from '../../operators/kopf/code-blocks.ts';

const PAGE = `
A page
======

.. code-block:: yaml
    :caption: a.yaml
    :name: first

    a: 1
    b:
      - 2


Some text.

.. code-block:: python

    def one():

        return 1
.. note::
    An end.
`;

it('takes the blocks of code out of a page, with their names, as they are indented in the block', () => {
  expect(codeBlocksOf(PAGE)).toEqual([
    { language: 'yaml', name: 'first', text: 'a: 1\nb:\n  - 2\n' },
    { language: 'python', text: 'def one():\n\n    return 1\n' },
  ]);
});

it('takes what a page ends with', () => {
  expect(codeBlocksOf('.. code-block:: none\n\n    end')).toEqual([{ language: 'none', text: 'end\n' }]);
  expect(codeBlocksOf('nothing')).toEqual([]);
});
