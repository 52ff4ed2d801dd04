import { describe, expect, test } from 'vitest';
import { followPage } from '../../../cli/status/follow.ts';
import { CliError } from '../../../cli/errors.ts';

describe('while it is watched', () => {
  /** Follows pages until they run out, then interrupts. */
  async function followed(pages: readonly (string | Error)[]) {
    const end = new AbortController();
    const [out, printed]: [string[], string[]] = [[], []];
    const left = [...pages];
    const page = (): Promise<string> => {
      const next = left.shift();
      if (left.length === 0) setImmediate(() => end.abort());
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next ?? '');
    };
    await followPage(
      { out: (part) => void out.push(part), log: (line) => void printed.push(line) },
      page,
      end.signal,
      1,
    );
    return { out, printed };
  }

  test('a page is printed again only when it has changed', async () => {
    expect((await followed(['a\n', 'a\n', 'b\n', 'b\n'])).out).toEqual(['a\n', '\nb\n']);
  });

  test('an API server that does not answer is reported, and asked again', async () => {
    expect(await followed(['a\n', new Error('connection refused'), 'b\n', 'b\n'])).toEqual({
      out: ['a\n', '\nb\n'],
      printed: ['connection refused; it is tried again'],
    });
  });

  test('a resource that has gone ends it', async () => {
    await expect(followed(['a\n', new CliError('there is no resource models/llama'), ''])).rejects.toThrow(
      /there is no/,
    );
  });
});
