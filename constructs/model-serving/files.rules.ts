import type { Rule } from '../schema/rules.ts';
import { isMounted } from './uri.rules.ts';

/**
 * The characters of a path in a model, as `model.files` and `model.file` take them: none that a shell, the kubelet's `$(NAME)`
 * or other notations of patterns read. A file with another character in its name is matched by `?`.
 */
const CHARACTERS = '-A-Za-z0-9._/+=@~, ';

const within: Rule = {
  rule: "!self.startsWith('/') && !self.matches('(^|/)([.]{1,2}(/|$)|/)')",
  message: 'must be relative to the folder of the model, without an empty part, "." or "..": write original/*',
};

/** Rules of a pattern. */
export const patternRules: readonly Rule[] = [
  {
    rule: `self.matches('^[${CHARACTERS}*?]*$')`,
    message:
      'must be letters, digits, spaces, "-", ".", "_", "/", "+", "=", "@", "~" and ",", with "*" for any characters and "?" for one: no other notation of patterns is known',
  },
  within,
];

/** Rules of the path of one file. */
export const fileNameRules: readonly Rule[] = [
  {
    rule: `self.matches('^[${CHARACTERS}]*$')`,
    message:
      'must be the path of one file: letters, digits, spaces, "-", ".", "_", "/", "+", "=", "@", "~" and ",", without a pattern',
  },
  within,
  {
    rule: "self.matches('[.][gG][gG][uU][fF]$')",
    message: 'must end in .gguf: an engine is given the folder of a model in any other format',
  },
  {
    rule: "!self.matches('-[0-9]{5}-of-[0-9]{5}[.][gG][gG][uU][fF]$') || self.matches('-00001-of-[0-9]{5}[.][gG][gG][uU][fF]$')",
    message:
      'must be the first part of a model that is split, which ends in -00001-of-NNNNN.gguf: the others come with it',
  },
];

/** Rules of `spec.model.files`. */
export const selectionRules: readonly Rule[] = [
  {
    rule: 'has(self.include) || has(self.exclude)',
    message: 'must have include or exclude: give one, or leave files out',
  },
  {
    rule: "!has(self.exclude) || !self.exclude.exists(p, p.matches('^[*]+/?$'))",
    fieldPath: '.exclude',
    message: 'must not be all there is ("*"): name what is of no use',
  },
  {
    rule: '!has(self.include) || !has(self.exclude) || !self.exclude.exists(p, p in self.include)',
    fieldPath: '.exclude',
    message: 'must have no pattern of include, which would leave out what that takes in: take it out of one of them',
  },
];

/** Engines that read GGUF, each from the file itself. */
const GGUF_ENGINES = "['vllm', 'sglang', 'custom']";

/** Rules of `spec` about which files are fetched, and handed to the engine. */
export const fileRules: readonly Rule[] = [
  {
    rule: `!has(self.model.files) || !${isMounted('self.model.uri')}`,
    fieldPath: '.model.files',
    message: 'must be left out for pvc:// and oci://, since nothing is fetched',
  },
  {
    rule: "!has(self.model.files) || !self.model.uri.startsWith('https://')",
    fieldPath: '.model.files',
    message:
      'must be left out for https://, which brings one file, or all of one archive: make an archive of what is needed',
  },
  {
    rule: "!has(self.model.file) || !self.model.uri.startsWith('https://')",
    fieldPath: '.model.file',
    message: 'must be left out for https://, whose one GGUF file the engine is given anyway',
  },
  {
    rule: `!has(self.model.file) || self.engine.type in ${GGUF_ENGINES}`,
    fieldPath: '.model.file',
    message:
      'is for vllm, sglang and custom only: the images of tgi, triton and tensorflow-serving serve no GGUF. Choose another engine, or a model in another format',
  },
  {
    // vLLM 0.24.0 moved GGUF to a plugin, which the image of a release does not have (docs/features/quantization/gguf.md).
    rule: "!has(self.model.file) || self.engine.type != 'vllm' || has(self.engine.image)",
    fieldPath: '.engine.image',
    message:
      "is required where vllm is given model.file, since vLLM's own image reads no GGUF from 0.24 on: name an image that has vllm-gguf-plugin, or set engine.type to sglang",
  },
  {
    // A vLLM or SGLang that is given a folder looks for safetensors in it.
    rule: "!(self.engine.type in ['vllm', 'sglang']) || has(self.model.file) || !has(self.model.files) || !has(self.model.files.include) || !self.model.files.include.exists(p, p.matches('[.][gG][gG][uU][fF]$'))",
    fieldPath: '.model.file',
    message:
      'is required where model.files.include asks for GGUF, since vllm and sglang are given the file and not its folder: name it, for instance model-Q4_K_M.gguf',
  },
];
