import { commandOf } from '../../constructs/model-serving/launch.ts';
import { modelServing } from '../../constructs/model-serving/kind.ts';
import { parseSpec } from '../../constructs/schema/parse.ts';
import { specOfSplit, type Split } from '../examples/model-serving/splits.ts';

/** What the kubelet puts for the variables of a pod. */
const variables = (index: number): Readonly<Record<string, string>> => ({
  '$(LWS_WORKER_INDEX)': String(index),
  '$(LWS_LEADER_ADDRESS)': 'llama-server-0.llama-server.models',
  '$(VLLM_HOST_IP)': `10.0.0.${index}`,
  '$(SGLANG_HOST_IP)': `10.0.0.${index}`,
});

const expanded = (argument: string, index: number): string =>
  Object.entries(variables(index)).reduce((text, [name, value]) => text.replaceAll(name, value), argument);

/** The arguments of each pod of a split, as its engine gets them. */
export function membersOf(split: Split, modelPath: string): readonly (readonly string[])[] {
  const spec = parseSpec(modelServing, { name: 'llama', namespace: 'models', spec: specOfSplit(split) });
  return Array.from({ length: split.nodes }, (_, index) => {
    const role = index === 0 ? 'leader' : 'worker';
    const { args = [] } = commandOf('llama', spec, modelPath, split.nodes === 1 ? undefined : role);
    return args.map((argument) => expanded(argument, index));
  });
}
