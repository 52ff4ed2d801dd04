import { describe, expect, test } from 'vitest';
import { SpecError } from '../../../../constructs/schema/error.ts';
import { reconciled, filed, fromFile } from './support.ts';

/** What may lie under the name of a field that was not known when it was stored. */
const ANYTHING = ['text', 5, true, [], {}, [1], [null], { a: 1 }, [{}], [['a']]];

const POD_FIELDS = ['env', 'imagePullSecrets', 'nodeSelector', 'tolerations', 'serviceAccount', 'security', 'egress'];

const FIELDS = [
  ['aiagent.yaml', 'AIAgent/support-agent', ['expose', 'resources']],
  ['llm.yaml', 'LLMDeployment/chat-service', [...POD_FIELDS, 'podTemplate', 'expose', 'autoscaling']],
  [
    'mltrainingjob.yaml',
    'MLTrainingJob/pytorch-distributed-training',
    [...POD_FIELDS, 'podTemplate', 'elastic', 'queue', 'gang', 'spot'],
  ],
  ['modeldeployment.yaml', 'ModelDeployment/llama-3-8b', ['deprecated']],
] as const;

/** What is wrong with a resource, by path; nothing where it is run. */
function problemsIn(attempt: () => unknown): readonly string[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return error.problems.map(({ path }) => path);
  }
}

describe('what was stored under the name of a field before it was known', () => {
  test.each(FIELDS)('is run or told by its path: %s, %s', (file, id, fields) => {
    for (const field of fields) {
      for (const value of ANYTHING) {
        const resource = fromFile(file, id);
        const odd = { ...resource, spec: { ...(resource.spec as object), [field]: value } };
        const paths = problemsIn(() => reconciled(odd, { related: filed(file) }));
        expect(paths.filter((path) => !path.startsWith(`spec.${field}`))).toEqual([]);
      }
    }
  });

  test.each(['modelSource', 'storage', 'credentials', 'engine'])('is told of the LLMModel: %s', (field) => {
    for (const value of ANYTHING) {
      const model = fromFile('llm.yaml', 'LLMModel/gpt-small');
      const odd = { ...model, spec: { ...(model.spec as object), [field]: value } };
      const attempt = () =>
        reconciled(fromFile('llm.yaml', 'LLMDeployment/chat-service'), { related: { 'LLMModel/gpt-small': odd } });
      for (const path of problemsIn(attempt)) expect(path).toMatch(/^spec\.modelRef: LLMModel spec\./);
    }
  });
});
