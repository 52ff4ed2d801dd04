import type { Argument } from './engine-arguments.ts';
import type { Fields } from './fields.ts';
import { shellWords } from './shell-words.ts';

const ADDITIONAL = 'VLLM_ADDITIONAL_ARGS';

/**
 * Whether only the script reads a variable by which KServe starts vLLM (kserve v0.20.0,
 * config/llmisvcconfig/config-llm-template.yaml).
 */
export const isOfScript = (name: unknown): boolean =>
  name === ADDITIONAL || (typeof name === 'string' && name.startsWith('KSERVE_INFER_'));

/** The arguments that the script reads from variables of a container. What else it reads is told. */
export function scriptArguments(container: Fields): readonly Argument[] {
  return container.items('env').flatMap((variable) => {
    const name = variable.peek('name');
    if (!isOfScript(name)) return [];
    if (name !== ADDITIONAL) {
      variable.note('name', 'is left out: only the script reads it by which KServe starts the engine');
      return [];
    }
    const value = variable.peek('value');
    const words = typeof value === 'string' ? shellWords(value) : undefined;
    variable.note(
      'name',
      words === undefined
        ? 'is left out, as it takes a shell to read it: give its options by engine.args'
        : 'is left out: its options are arguments of the engine',
    );
    return (words ?? []).map((text) => ({ text, at: variable }));
  });
}
