import { describe, expect, it } from 'vitest';
import { agentService } from '../../../constructs/agent-service/kind.ts';
import { DEEPEST_SPEC, LARGEST_SPEC_BYTES, limitProblems } from '../../../constructs/schema/limits.ts';
import { parseSpec } from '../../../constructs/schema/parse.ts';

/** A value in so many lists. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('the limits of a spec', () => {
  it.each([
    ['an empty one', {}, []],
    ['none at all', undefined, []],
    ['one of as many bytes as are allowed', 'x'.repeat(LARGEST_SPEC_BYTES - 2), []],
    ['one byte more', 'x'.repeat(LARGEST_SPEC_BYTES - 1), ['spec: must have at most 524288 bytes']],
    ['letters of more than one byte', 'ü'.repeat(LARGEST_SPEC_BYTES / 2), ['spec: must have at most 524288 bytes']],
    ['as many levels as are allowed', nested(DEEPEST_SPEC), []],
    ['one level more', nested(DEEPEST_SPEC + 1), ['spec: must be nested at most 64 levels deep']],
    ['a hundred thousand levels', nested(100_000), ['spec: must be nested at most 64 levels deep']],
  ])('judge %s', (_, spec, problems) => {
    const reported = limitProblems(spec).map(({ path, message }) => `${path}: ${message}`);
    expect(reported).toHaveLength(problems.length);
    problems.forEach((problem, index) => expect(reported[index]).toContain(problem));
  });

  it('refuse one whose status could not be written, before anything else of it is looked at', () => {
    const env = Array.from({ length: 26 }, (_, index) => ({ name: `E${index}`, value: 'x'.repeat(32 * 1024) }));
    const spec = { image: 'example.com/agent:1', env };
    const parse = () => parseSpec(agentService, { name: 'a', namespace: 'ns', spec });
    expect(parse).toThrow(
      /AgentService ns\/a is invalid:\n {2}spec: must have at most 524288 bytes as JSON: move long/,
    );
  });
});
