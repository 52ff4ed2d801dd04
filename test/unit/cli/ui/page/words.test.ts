import { expect, test } from 'vitest';
import { bytesWords } from '../../../../../cli/ui/page/model/bytes.ts';
import { shownDownload } from '../../../../../cli/ui/page/model/download.ts';
import { ageWords, durationWords } from '../../../../../cli/ui/page/model/time.ts';

const GIB = 2 ** 30;

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1.5 * GIB, '1.5 GiB'],
  [140 * GIB, '140 GiB'],
  [2 ** 60, '1024 PiB'],
  [-5, '0 B'],
])('%d bytes are %s', (bytes, words) => {
  expect(bytesWords(bytes)).toBe(words);
});

test.each([
  [0, '0s'],
  [59.4, '59s'],
  [60, '1m'],
  [119.7, '2m'],
  [4_830, '1h 20m'],
  [7_200, '2h'],
  [90_000, '1d 1h'],
  [-3, '0s'],
])('%d seconds are %s', (seconds, words) => {
  expect(durationWords(seconds)).toBe(words);
});

test('how long ago something was is said in one unit, and not at all where nobody knows', () => {
  const now = Date.parse('2026-11-28T10:00:00Z');
  expect(ageWords('2026-11-28T08:30:00Z', now)).toBe('1h');
  expect(ageWords('', now)).toBe('');
});

test.each([
  [{ bytes: 3 * GIB }, { share: undefined, words: '3.0 GiB so far', pace: '' }],
  [
    { bytes: 0, totalBytes: 0 },
    { share: undefined, words: '0 B so far', pace: '' },
  ],
  [
    { bytes: 10 * GIB, totalBytes: 40 * GIB },
    { share: 0.25, words: '10.0 GiB of 40.0 GiB', pace: '25%' },
  ],
  [
    { bytes: 10 * GIB, totalBytes: 40 * GIB, secondsLeft: 120 },
    { share: 0.25, words: '10.0 GiB of 40.0 GiB', pace: '25%, 2m left at 256 MiB/s' },
  ],
  [
    { bytes: 999, totalBytes: 1000 },
    { share: 0.999, words: '999 B of 1000 B', pace: '99%' },
  ],
  [
    { bytes: 40, totalBytes: 40, secondsLeft: 0 },
    { share: 1, words: '40 B of 40 B', pace: '100%' },
  ],
  [
    { bytes: 50, totalBytes: 40 },
    { share: 1, words: '50 B of 40 B', pace: '100%' },
  ],
])('of the download %j it says how far it is', (download, shown) => {
  expect(shownDownload({ uri: 'hf://a/b', done: false, ...download })).toEqual(shown);
});
