import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { architecture } from '../../cluster/index.ts';
import { type Bill, type Lock, runtimeBill } from './bill.ts';

/**
 * Makes all that a release consists of, in the folder `release` or the one that is named: both packages, the chart, the image,
 * install.yaml, a bill of materials, checksums, and, where cosign is installed, a signature of the checksums. It
 * publishes nothing.
 */
const [folder = 'release'] = process.argv.slice(2);
const { version }: { readonly version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
const SUMS = 'SHA256SUMS';

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 * 2 ** 20 });

function sign(): void {
  try {
    run('cosign', ['sign-blob', '--yes', '--bundle', join(folder, `${SUMS}.sigstore.json`), join(folder, SUMS)]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    console.error('cosign is not installed, so the checksums are not signed');
  }
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// Which makes the chart and install.yaml, too.
run('npm', ['run', 'build']);
run('npm', [
  'pack',
  '--pack-destination',
  resolve(folder),
  './dist/packages/trunnion',
  './dist/packages/trunnion-operator',
]);
run('tar', ['-czf', join(folder, `trunnion-chart-${version}.tgz`), '-C', 'dist/charts', 'trunnion']);
copyFileSync('dist/install.yaml', join(folder, 'install.yaml'));
run(process.execPath, ['scripts/image/main.ts', join(folder, `trunnion-operator-${version}-${architecture()}.tar`)]);
const bill = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'])) as Bill;
writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(runtimeBill(bill, lock), undefined, 2)}\n`);
const sums = readdirSync(folder)
  .sort()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')}  ${file}\n`,
  );
writeFileSync(join(folder, SUMS), sums.join(''));
sign();
console.log(readdirSync(folder).join('\n'));
