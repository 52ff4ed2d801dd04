import { describe, expect, test } from 'vitest';
import { agentService } from '../../../constructs/agent-service/kind.ts';
import { SpecError } from '../../../constructs/schema/error.ts';
import { parseSpec, type Host } from '../../../constructs/schema/parse.ts';
import { accepted } from '../../examples/agent-service/accepted.ts';
import { minimal, referring, type AcceptedExample, type RefusedExample } from '../../examples/agent-service/example.ts';
import { refused } from '../../examples/agent-service/refused.ts';

const parse = (
  { name = 'support-agent', spec }: Omit<AcceptedExample | RefusedExample, 'title'>,
  host: Host = 'operator',
) => parseSpec(agentService, { name, namespace: 'agents', spec: spec as AcceptedExample['spec'], host });

function errorOf(run: () => unknown): SpecError {
  try {
    run();
  } catch (error) {
    if (error instanceof SpecError) return error;
    throw error;
  }
  return expect.unreachable('must be refused');
}

describe('the spec of an AgentService', () => {
  test.each(accepted)('accepts $title', (example) => {
    expect(() => parse(example)).not.toThrow();
  });

  test.each(refused)('refuses $title', (example) => {
    const { problems } = errorOf(() => parse(example));
    expect(problems).toHaveLength(example.problems.length);
    for (const [path, message] of example.problems) {
      expect(problems).toContainEqual(expect.objectContaining({ path, message: expect.stringContaining(message) }));
    }
  });

  test('gets the defaults that its schema states', () => {
    expect(parse({ spec: minimal })).toEqual({
      ...minimal,
      resources: {},
      drain: { timeoutSeconds: 600 },
      security: { level: 'restricted' },
    });
  });

  test('is parsed to what zod makes of it', () => {
    for (const example of accepted) expect(parse(example)).toEqual(agentService.spec.parse(example.spec));
  });

  test('may name a ModelServing under the operator, and not in a static host, where nobody looks it up', () => {
    expect(errorOf(() => parse({ spec: referring }, 'static')).problems).toEqual([
      { path: 'spec.modelRef', message: expect.stringContaining('give the ModelServing construct itself as model') },
    ]);
    expect(() => parse({ spec: minimal }, 'static')).not.toThrow();
  });
});
