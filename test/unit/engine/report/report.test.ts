import { describe, expect, it, test } from 'vitest';
import type { Report } from '../../../../operator/engine/api/queries.ts';
import { reportIn, ReportReader } from '../../../../operator/engine/queries/report/report.ts';
import { cpuMsOf } from '../../../support/cpu.ts';

const ESC = '\u001b';

/** The values, in the order in which they are told: those of all prefixes of a text that ends with a line. */
function valuesIn(text: string, metric = 'val_acc'): readonly (number | string)[] {
  const { last } = reportIn(text, metric);
  if (last === undefined) return [];
  return ['value' in last ? last.value : `? ${last.unclear}`];
}

describe('a value', () => {
  test.each<[string, number]>([
    ['val_acc=0.93', 0.93],
    ['epoch 3: loss=0.2, val_acc = 0.93', 0.93],
    ['val_acc: 1e-3', 0.001],
    ['val_acc=1e5', 100_000],
    ['val_acc=1E+5', 100_000],
    ['val_acc=.5', 0.5],
    ['val_acc=5.', 5],
    ['val_acc=+.5e1', 5],
    ['val_acc=-0.0', 0],
    ['val_acc=0.93\r\n', 0.93],
    ['10%\rval_acc=0.1\r100% val_acc=0.2\n', 0.2],
    ['val_acc=0.1 val_acc=0.2', 0.2],
    ['val_acc=0.1 acc=0.2', 0.1],
    ['val_acc=0.9, other', 0.9],
    ['val_acc=0.9; other', 0.9],
    ['val_acc=0.9.', 0.9],
    ['(val_acc=0.9)', 0.9],
    ['[val_acc=0.9]', 0.9],
    ['|val_acc=0.9|', 0.9],
    ['"val_acc=0.9"', 0.9],
    ['val_acc="0.9"', 0.9],
    ["val_acc: '0.9'", 0.9],
    ['val_acc=0.9，', 0.9],
    ['val_acc=1 20 samples', 1],
    ['val_acc=0.5 200 samples', 0.5],
    ['val_acc: 0.93 ± 0.01', 0.93],
    ['val_acc=00.5', 0.5],
    ['val_acc=0.5 k=3', 0.5],
    ['val_acc=0.5 e5=3', 0.5],
    ['val_acc=0.5 M: 3', 0.5],
    ['val_acc=0.5 x10=3', 0.5],
    ['val_acc=0.5 *', 0.5],
    ['val_acc=0.5 \u00b7 loss=0.2', 0.5],
    ['val_acc: 0.5 - 358ms/epoch', 0.5],
    ['val_acc=0.5 of the best', 0.5],
    ['val_acc=0.5 -> saved', 0.5],
    ['val_acc\u00a0=\u00a00.9', 0.9],
    ["{'val_acc': 0.91}", 0.91],
    ["{'eval_loss': 0.3, 'val_acc': 0.91, 'epoch': 3.0}", 0.91],
    ["INFO {'val_acc': '0.91'}", 0.91],
    ['{"epoch": 3, "val_acc": 0.93}', 0.93],
    ['{"val_acc": "0.93"}', 0.93],
    ['{"loss": NaN, "val_acc": -2}', -2],
    ['2026-01-01T00:00:00Z INFO {"val_acc": 0.9}', 0.9],
    ['INFO {rank0} {"val_acc": 0.9}', 0.9],
    ['INFO {"val_acc": 0.9} done', 0.9],
    ['{"val_acc": 0.1} {"val_acc": 0.2}', 0.2],
    ['{"level": "info", "message": "val_acc=0.93"}', 0.93],
    ['{"message": "epoch 1\\nval_acc=0.93\\n"}', 0.93],
    ['{\n  "val_acc": 0.93,\n  "epoch": 3\n}', 0.93],
    ['{\n  "val_acc": 0.93\n}', 0.93],
    ['{"best": {"val_acc": 0.99}, "val_acc": 0.9}', 0.9],
    ["{'best': {'val_acc': 0.99}, 'val_acc': 0.9, 'x': {'val_acc': 0.7}}", 0.9],
    [`${ESC}[32mval_acc${ESC}[0m=0.9`, 0.9],
    [`val_acc=${ESC}[1;31m0.9${ESC}[0m`, 0.9],
    ['{"step": 1} val_acc=0.5', 0.5],
    ['{"val_acc": 0.9} val_acc=0.5', 0.5],
    [`val_acc=${ESC}[1m0.9${ESC}(B${ESC}[m`, 0.9],
    [`val_acc=${ESC}(B0.9`, 0.9],
    [`val_acc=${ESC}Pq1${ESC}\\0.9`, 0.9],
    [`${ESC}]0;title\u0007val_acc=0.9`, 0.9],
    ['val_acc\t=\t0.9\tend', 0.9],
    ['\ufeffval_acc=0.9', 0.9],
  ])('is read from %j', (text, value) => {
    expect(valuesIn(text)).toEqual([value]);
  });

  test.each([
    'val_acc=nan',
    'val_acc=NaN,',
    'val_acc=-inf',
    'val_acc=Infinity',
    'val_acc=None',
    "{'val_acc': None}",
    '{"val_acc": null}',
    '{"val_acc": NaN}',
    'val_acc=1e999',
    '{"val_acc": 1e999}',
    'val_acc=\u221e',
    'val_acc=N/A',
    'val_acc=NA,',
    'val_acc=<NA>',
    'val_acc: undefined',
    'val_acc=-\u221e',
  ])('is told to be no number by %j', (text) => {
    expect(valuesIn(text)).toEqual([Number.NaN]);
  });

  test.each([
    'val_acc=1,234.5',
    'val_acc=1,234',
    'val_acc=0,93',
    'val_acc=1 234.5',
    'val_acc=1 234',
    'val_acc=1\u202f234',
    'val_acc=1\u00a0234,5',
    "val_acc=1'234.5",
    'val_acc=1_000',
    'val_acc=0x10',
    'val_acc=0.5%',
    'val_acc=50 %',
    'val_acc=0.93.1',
    'val_acc=12:30',
    'val_acc=1/2',
    'val_acc=45 / 50',
    'val_acc=1.234,5',
    'val_acc=1.234.567,8',
    'val_acc=0.9->0.95',
    'val_acc=0.9\0',
    'val_acc=0.9...',
    'val_acc=0.9…',
    'val_acc=0.9±0.1',
    'val_acc=0.9+-0.1',
    'val_acc=0.9s',
    'val_acc=1e',
    'val_acc=1e5e5',
    'val_acc=~0.9',
    'val_acc=<0.9',
    'val_acc=(0.9)',
    'val_acc=[0.9, 0.8]',
    'val_acc=\u0660.\u0669',
    'val_acc=\uff10.\uff19',
    'val_acc=\u22120.5',
    'val_acc=--5',
    'val_acc==0.9',
    'val_acc=0.9\u202e',
    'val_acc=tensor(0.93)',
    "{'val_acc': np.float64(0.91)}",
    'val_acc="0.9',
    '{"val_acc": "1,234.5"}',
    '{"val_acc": "93%"}',
    '{"val_acc": 0.9',
    'val_acc=1\u3000234',
    'val_acc=1\u2002234',
    'val_acc=1\ufeff234',
    'val_acc=0.5 e-3',
    'val_acc=0.5 e\u22123',
    'val_acc=0.5 x 10^-3',
    'val_acc=0.5 \u00d7 10\u207b\u00b3',
    'val_acc=1.5 k',
    'val_acc=1.5 million',
    'val_acc=93 percent',
    'val_acc=93            %',
    'val_acc=45 of 50',
    'val_acc=45 out of 50',
    'val_acc=0.5 -> 0.6',
    'val_acc=0.5 \u2192 0.6',
    'val_acc=- 0.5',
    'val_acc=[ 0.91 0.92]',
    'val_acc=array([0.91])',
    'val_acc=np.array([[ 0.91]])',
    "val_acc=Decimal('0.93')",
    "val_acc=b'0.93'",
    'val_acc=<tf.Tensor: shape=(), dtype=float32, numpy=0.93>',
    'val_acc=<b>0.93</b>',
    '{"val_acc": [0.91, 0.2]}',
    '{"val_acc": [["0.91"]]}',
    `val_acc=${'1'.repeat(65)}`,
    `val_acc=${'1'.repeat(1_000_000)}x`,
  ])('is not read in part from %j', (text) => {
    expect(valuesIn(text)).toEqual([expect.stringMatching(/^\? /)]);
  });

  test.each([
    'val_acc=high',
    'val_acc',
    'val_acc 0.9',
    'best_val_acc=0.99',
    'val_acc_top5=0.99',
    'val_acc@5=0.99',
    'train/val_acc=0.99',
    'x.val_acc=0.99',
    '\u00e9val_acc=0.99',
    'val_acc2=0.9',
    '{"metric": "val_acc"}',
    '{"best": {"val_acc": 0.99}}',
  ])('is not told by %j', (text) => {
    expect(valuesIn(text)).toEqual([]);
  });

  it('may have a name with a slash or a dot, which stands for itself', () => {
    expect(valuesIn('val/loss.1=3\nval/lossx1=4', 'val/loss.1')).toEqual([3]);
  });

  it('is reported with the line that it came from, around the name, free of what steers a terminal', () => {
    expect(reportIn(`a\u0007b ${ESC}[31mval_acc=0.9 \u202eend`, 'val_acc').last).toEqual({
      value: 0.9,
      line: 'a\ufffdb val_acc=0.9 \ufffdend',
    });
    const { last } = reportIn(`${'x '.repeat(5_000)}val_acc=0.9 ${'y'.repeat(5_000)}`, 'val_acc');
    expect(last?.line).toHaveLength(256);
    expect(last?.line).toContain(' val_acc=0.9 y');
  });
});

describe('a report', () => {
  const text = 'f1=0.2\nf1=0.9\nf1=nan\nf1=0.4\n';

  it('has the last, the lowest and the highest value', () => {
    expect(reportIn(text, 'f1')).toEqual({
      last: { value: 0.4, line: 'f1=0.4' },
      lowest: { value: 0.2, line: 'f1=0.2' },
      highest: { value: 0.9, line: 'f1=0.9' },
    });
  });

  it('is the same in whatever pieces it comes', () => {
    const whole = Buffer.from(`${text}"f1": 3\r\nf1=1,2\nf1 is fine\n${'x'.repeat(40_000)}f1=5\nf1=0.3`);
    const read = (piece: number): Report => {
      const reader = new ReportReader('f1');
      for (let at = 0; at < whole.length; at += piece) reader.push(whole.subarray(at, at + piece));
      return reader.end();
    };
    const report = read(whole.length);
    expect(report.unclear?.unclear).toBe('a line of more than 32768 bytes');
    expect(report.mentioned).toBe('f1 is fine');
    expect(report.last).toEqual({ value: 0.3, line: 'f1=0.3' });
    for (const piece of [1, 2, 3, 7, 1_000, 32_768, 32_769]) expect(read(piece)).toEqual(report);
  });

  it('does not take what a line that is too long might say for unsaid', () => {
    expect(reportIn(`f1=0.1\n${'x'.repeat(40_000)} f1=0.9\n`, 'f1').last).toMatchObject({
      unclear: 'a line of more than 32768 bytes',
    });
    expect(reportIn(`f1=0.1\n${'x'.repeat(40_000)}\n`, 'f1').last).toMatchObject({ value: 0.1 });
  });
});

describe('a hostile text costs no more than its length', () => {
  const LENGTH = 2 ** 22;
  const times = (part: string): string => part.repeat(Math.ceil(LENGTH / part.length));
  const inLines = (part: string, line = 32_000): string => times(`${part.repeat(Math.ceil(line / part.length))}\n`);

  test.each([
    ['digits', 'loss', `loss=${times('1')}x`],
    ['digits in lines', 'loss', inLines('loss=11111111111111111111111111111111111111')],
    ['names', 'loss', inLines('loss')],
    ['names with separators', 'loss', inLines('loss=')],
    ['names of one letter', 'a', inLines('a')],
    ['a long name that nearly matches', 'a'.repeat(127), inLines('a')],
    ['spaces', 'loss', inLines('loss   '.padEnd(3_000))],
    ['spaces behind separators', 'loss', inLines('loss =  '.padEnd(3_000))],
    ['braces', 'loss', inLines('loss{')],
    ['closed braces', 'loss', inLines("{'loss':")],
    ['deep JSON', 'loss', times(`{"loss":${'['.repeat(16_000)}${']'.repeat(16_000)}}\n`)],
    ['deep objects', 'loss', times(`${'{"loss":'.repeat(3_000)}1${'}'.repeat(3_000)}\n`)],
    ['colons and spaces in JSON', 'loss', inLines('{"loss" :     ')],
    ['keys that are not closed', 'loss', inLines("{'loss':1 ")],
    ['quotes', 'loss', inLines('"loss"')],
    ['short sequences that do not end', 'loss', inLines(`loss${ESC}(`)],
    ['objects with text behind them', 'loss', times('{"a":1} loss=1\n')],
    ['sequences that do not end', 'loss', inLines(`loss${ESC}[1`)],
    ['commands that do not end', 'loss', inLines(`loss${ESC}]1`)],
    ['empty lines', 'loss', times('\n')],
    ['many values', 'loss', times('loss=0.5\n')],
  ])('%s', (_, metric, text) => {
    // It is about a quarter of it.
    expect(cpuMsOf(() => reportIn(text, metric))).toBeLessThan(2_000);
  });
});
