import type { Gpu, MemoryMisfit, Misfit, ModelShape } from '../../constructs/parts/sizing/index.ts';
import { GIB } from '../../constructs/parts/sizing/index.ts';

/** Bytes as people read them: `14.2 GiB`, `56 KiB`. */
export function bytesInWords(bytes: number): string {
  if (bytes >= GIB) return `${rounded(bytes / GIB)} GiB`;
  return bytes >= 1024 ** 2 ? `${rounded(bytes / 1024 ** 2)} MiB` : `${rounded(bytes / 1024)} KiB`;
}

/** `7.6 billion`, `494 million`. */
export const countInWords = (count: number): string =>
  count >= 1e9 ? `${rounded(count / 1e9)} billion` : `${rounded(count / 1e6)} million`;

/** A number of which three figures are shown. */
export const rounded = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 1 });

/** Whole numbers, with commas: `8,192`. */
export const whole = (value: number): string => Math.floor(value).toLocaleString('en-US');

/** A count of something, in the singular or the plural. */
export const counted = (count: number, word: string): string => `${whole(count)} ${word}${count === 1 ? '' : 's'}`;

/** Why a model does not fit on a GPU, and what to do. */
export function misfitInWords(model: string, shape: ModelShape, gpu: Gpu, misfit: Misfit): string {
  if (misfit.why === 'context') {
    return `--max-len: ${model} takes up to ${whole(misfit.longest)} tokens, not ${whole(misfit.context)}`;
  }
  if (misfit.why === 'split') {
    const splits = misfit.splits.join(', ');
    return `--gpus: ${model} has ${misfit.heads} attention heads, which ${counted(misfit.gpus, 'GPU')} can't share evenly; it can be split over ${splits}`;
  }
  return memoryInWords(model, shape, gpu, misfit);
}

function memoryInWords(model: string, shape: ModelShape, gpu: Gpu, misfit: MemoryMisfit): string {
  const { gpus, context, requests, perGpu } = misfit;
  const needed = perGpu.weights + perGpu.cache + perGpu.overhead;
  const advice = adviceOn(shape, misfit);
  return [
    `${model} does not fit on ${gpus} ${gpu.name}. Each would need ${bytesInWords(needed)}, and vLLM takes ${bytesInWords(perGpu.usable)} of one:`,
    `  weights    ${bytesInWords(perGpu.weights)}`,
    `  KV cache   ${bytesInWords(perGpu.cache)} for ${counted(requests, 'request')} of ${whole(context)} tokens`,
    `  overhead   ${bytesInWords(perGpu.overhead)}`,
    `What would fit: ${advice.length > 0 ? advice.join('; ') : 'nothing that one node has. Choose a smaller model'}.`,
  ].join('\n');
}

function adviceOn(shape: ModelShape, { moreGpus, shorter, fourBits, others, requests }: MemoryMisfit): string[] {
  const advice = [
    moreGpus !== undefined && `--gpus ${moreGpus}`,
    shorter !== undefined && `--max-len ${shorter}${requests > 1 ? ' --requests 1' : ''}`,
    others.length > 0 && `--gpu ${others.map(({ name, gpus }) => `${name} (${gpus})`).join(', ')}`,
    fourBits &&
      `the same model in 4 bits (AWQ, GPTQ), about ${bytesInWords((shape.parameters * 4.5) / 8)} in place of ${bytesInWords(shape.weightBytes)}`,
  ];
  return advice.filter((each) => each !== false);
}
