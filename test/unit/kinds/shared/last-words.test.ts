import { describe, expect, it } from 'vitest';
import { begun, ended, fitted } from '../../../../operator/kinds/shared/cut.ts';
import { quote } from '../../../../operator/kinds/shared/diagnosis-text.ts';
import { fittedEnd, lastWords, withLastWords } from '../../../../operator/kinds/shared/last-words.ts';

const traceback = `Traceback (most recent call last):
${Array.from({ length: 40 }, (_, line) => `  File "/app/train_${line}.py", line ${line}, in step`).join('\n')}
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB.`;

describe('the last words of a program', () => {
  it('keep their end, which tells the cause, from the beginning of a word', () => {
    const words = lastWords(traceback);
    expect(words.length).toBeLessThanOrEqual(600);
    expect(words).toMatch(/^…(?:File|line|in|step|"\/app|\d)/);
    expect(words.endsWith('torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB')).toBe(true);
  });

  it.each([
    ['uvicorn', 'INFO:     10.0.0.1:52514 - "GET /health HTTP/1.1" 200 OK'],
    ['nginx', '10.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "POST /v1/chat/completions HTTP/2.0" 200 12 "-" "curl"'],
  ])('leave out what was answered beside it (%s)', (_, line) => {
    expect(lastWords(`RuntimeError: no GPU\n${`${line}\n`.repeat(30)}`)).toBe('RuntimeError: no GPU');
    expect(withLastWords(line), 'where there is nothing else').toBe('');
  });

  it('keep what only looks like it', () => {
    const line = 'requests.exceptions.ConnectionError: HTTP/1.1 504 at GET /models';
    expect(lastWords(line)).toBe(line);
  });

  it('are nothing where nothing was said', () => {
    expect([withLastWords(''), withLastWords('\n '), withLastWords('bye.')]).toEqual(['', '', ': bye']);
  });
});

describe('a text that is too long', () => {
  const text = 'one two three four five six seven';

  it.each(Array.from({ length: text.length + 2 }, (_, max) => max + 1).filter((max) => max > 6))(
    'is cut between words, to %i characters',
    (max) => {
      const words = new Set(text.split(' '));
      for (const cut of [begun(text, max), ended(text, max), fitted(text, Math.max(20, max))]) {
        expect(cut.length).toBeLessThanOrEqual(Math.max(20, max));
        expect(cut.split(/[ …]+/).filter((word) => word !== '' && !words.has(word))).toEqual([]);
        expect(cut).toMatch(/one|seven/);
      }
    },
  );

  it('and has one word only is cut in it, and never in a character', () => {
    expect(begun('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(ended('x'.repeat(50), 10)).toBe(`…${'x'.repeat(9)}`);
    for (const max of [9, 10]) expect(JSON.stringify(ended('😀'.repeat(50), max))).not.toContain('\\ud');
    for (const max of [9, 10]) expect(JSON.stringify(begun('😀'.repeat(50), max))).not.toContain('\\ud');
  });

  it('tells of an end what happened, and the end of what was said', () => {
    const messageOf = `Rank 3 on gpu-1 ended with exit code 1${withLastWords(traceback)}.`;
    const fits = fittedEnd(messageOf, 256);
    expect(fits.length).toBeLessThanOrEqual(256);
    expect(fits).toMatch(/^Rank 3 on gpu-1 ended with exit code 1/);
    expect(fits).toMatch(/CUDA out of memory\. Tried to allocate 20\.00 MiB\.$/);
  });

  it('of a server keeps its beginning', () => {
    expect(quote(`${'word '.repeat(200)}end`)).toMatch(/^word .* word…$/);
  });
});
