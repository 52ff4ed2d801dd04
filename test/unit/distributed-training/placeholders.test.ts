import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillerOf } from '../../../constructs/distributed-training/placeholders.ts';
import { expanded } from '../../support/kubelet-expansion.ts';

const VARIABLES = { HOME: '/home/trunnion', lr: '7' };

/** What the program gets of a word, in which ${lr} is a parameter of this value. */
const given = (word: string, lr: string): string => expanded(fillerOf({ lr })(word), VARIABLES);

test.each([
  ['${lr}', '0.1', '0.1'],
  ['$(date) ${lr}', '0.1', '$(date) 0.1'],
  ['$$(date) ${lr}', '0.1', '$(date) 0.1'],
  ['$(HOME) ${lr}', '0.1', '/home/trunnion 0.1'],
  ['$$(HOME) ${lr}', '0.1', '$(HOME) 0.1'],
  ['$(train --lr ${lr})', '0.1', '$(train --lr 0.1)'],
  ['$(train --lr ${lr})', '$x', '$(train --lr $x)'],
  ['$(train --lr ${lr})', '$$', '$(train --lr $$)'],
  ['$(echo $$ ${lr})', '$x', '$(echo $$ $x)'],
  ['$(echo $(date) ${lr})', '$x', '$(echo $(date) $x)'],
  ['$(echo ${lr} $(date))', '$x', '$(echo $x $(date))'],
  ['$(${lr})', 'HOME', '$(HOME)'],
  ['$(HO${lr})', 'ME)', '$(HOME))'],
  ['$(HOME${lr}', ')', '$(HOME)'],
  ['$${lr}', '0.1', '$0.1'],
  ['$${lr}', '(HOME)', '$(HOME)'],
  ['$$${lr}', '$', '$$'],
  ['$$$${lr}', '0.1', '$$0.1'],
  ['$${other} ${lr}', '0.1', '${other} 0.1'],
  ['${other} $HOME ${lr} $', '$', '${other} $HOME $ $'],
  ['$(date)', '0.1', '$(date)'],
  ['$(HOME', '0.1', '$(HOME'],
])('of %s with the value %s the program gets %s', (word, lr, got) => {
  expect(given(word, lr)).toBe(got);
});

test('a shell runs a command of $( … ) with the value in it', () => {
  const script = `echo "$(printf '%s;%s' x '\${lr}') \${lr}"`;
  expect(spawnSync('sh', ['-c', given(script, '1$$2')], { encoding: 'utf8' }).stdout).toMatch(/^x;1\$\$2 1\d+2\n$/);
});

const part = fc.constantFrom('$', '$$', '(', ')', '$(', '$(HOME)', '${lr}', '${other}', 'HOME', 'a');
const word = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));

test('whatever a word is, a value changes nothing but its places', () => {
  // No name of a variable has it, and the kubelet minds it no more than a letter.
  const mark = '\u{E000}';
  fc.assert(
    fc.property(word, word, (written, value) => {
      const without = expanded(written.replaceAll('${lr}', mark), VARIABLES);
      expect(given(written, value)).toBe(without.replaceAll(mark, () => value));
    }),
    { numRuns: 2000 },
  );
});
