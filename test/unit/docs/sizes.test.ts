import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bytesInWords } from '../../../cli/init/words.ts';
import { findGpu, GPUS, shapeOf, sizeOf, type ModelShape } from '../../../constructs/parts/sizing/index.ts';
import { containerOf } from '../../../constructs/parts/sizing/container.ts';
import { bytesPerToken } from '../../../constructs/parts/sizing/shape.ts';
import { PUBLIC_MODELS } from '../../support/model-configs.ts';

const page = readFileSync('docs/recipes/sizes.md', 'utf8');

/** The table of the page that begins so, without the blanks that align it. */
function tableOf(heading: string): readonly string[] {
  const all = page.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
  const at = all.findIndex((line) => line.startsWith(heading));
  return all.slice(at, all.indexOf('', at));
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const COLUMNS = ['L4', 'L40S', 'A100-80GB', 'H100', 'H200'];

function cellOf(shape: ModelShape, name: string): string {
  const gpu = findGpu(name);
  const sizes = gpu && sizeOf(shape, gpu);
  return sizes?.fits === true ? `${sizes.gpus}: ${sizes.atOnce}` : '-';
}

test('the table of models is what trunnion init computes', () => {
  const rows = PUBLIC_MODELS.map(({ name, config, parameters, gigabytes }) => {
    const shape = shapeOf(config, { parameters, weightBytes: gigabytes === undefined ? undefined : gigabytes * 1e9 });
    if ('lacks' in shape) throw new Error(name);
    const volume = `${containerOf(shape.fileBytes, 1).volume}Gi`;
    const cells = COLUMNS.map((gpu) => cellOf(shape, gpu));
    return row(name, bytesInWords(shape.weightBytes), bytesInWords(bytesPerToken(shape)), volume, ...cells);
  });
  const head = row('Model', 'Weights', 'KV cache of a token', 'Volume', ...COLUMNS);
  expect(tableOf('| Model |').toSpliced(1, 1)).toEqual([head, ...rows]);
});

test('the table of pods is what trunnion init computes', () => {
  const rows = [1, 2, 4, 8].map((gpus) => {
    const { memory, cpus } = containerOf(0, gpus);
    return row(gpus, `${memory}Gi`, cpus);
  });
  expect(tableOf('| GPUs |').toSpliced(1, 1)).toEqual([row('GPUs', 'Memory', 'CPUs'), ...rows]);
});

test('the table of GPUs is the one that trunnion init knows', () => {
  const rows = GPUS.map(({ name, product, memory }) =>
    row(`\`${name}\``, `\`${product}\``, `${memory.toLocaleString('en-US')} MiB`),
  );
  expect(tableOf('| `--gpu` |').toSpliced(1, 1)).toEqual([row('`--gpu`', 'Label', 'Memory'), ...rows]);
});
