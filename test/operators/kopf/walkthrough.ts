import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../../cluster/binaries.ts';
import { type CodeBlock, codeBlocksOf } from './code-blocks.ts';

const execute = promisify(execFile);

const VERSION = '1.44.6';
/** Of kopf's own archive of its source, which has its documentation (MIT license). */
const SHA256 = '39c32d172394f0a891c19bfa2382c0e4bab783a63fdd1f0d9209aa043856127a';

const named =
  (name: string) =>
  (block: CodeBlock): boolean =>
    block.name === name;

/** The files of kopf's walkthrough, as they are once a reader has come to its end. */
export interface Walkthrough {
  /** The folder that has them. */
  readonly folder: string;
  readonly program: string;
  readonly crd: string;
  /** The resource that its reader creates. */
  readonly claim: string;
}

/**
 * Takes kopf's own operator out of the pages that teach it: of each handler the last form, beside the template that it reads.
 * Nothing of it is in this repository.
 *
 * @throws where it can't be downloaded, or is not what is expected
 */
export async function walkthroughOfKopf(): Promise<Walkthrough> {
  const folder = join(cacheFolder(), 'kopf', VERSION);
  const source = join(folder, `kopf-${VERSION}.tar.gz`);
  if (!existsSync(source)) {
    mkdirSync(folder, { recursive: true });
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', ':all:', '--dest', folder];
    await execute('python3', [...pip, `kopf==${VERSION}`], { maxBuffer: 2 ** 26 });
  }
  const hash = createHash('sha256').update(readFileSync(source)).digest('hex');
  if (hash !== SHA256) throw new Error(`${source} has the SHA-256 ${hash}, not ${SHA256}: delete it, and try again`);
  await execute('tar', ['-xzf', source, '-C', folder]);

  const text = (page: string, isIt: (block: CodeBlock) => boolean): string => {
    const path = join(folder, `kopf-${VERSION}`, 'docs/walkthrough', page);
    const block = codeBlocksOf(readFileSync(path, 'utf8')).find(isIt);
    if (block === undefined) throw new Error(`${path} has not the blocks of kopf ${VERSION}`);
    return block.text;
  };
  const write = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  write('pvc.yaml', text('creation.rst', named('pvc')));
  const handlers = [
    text('deletion.rst', named('adopting')),
    text('updates.rst', (block) => block.text.includes('def update_fn')),
    text('diffs.rst', named('with-diff')),
  ];
  return {
    folder,
    program: write('ephemeral.py', handlers.join('\n\n')),
    crd: write('crd.yaml', text('resources.rst', named('crd-yaml'))),
    claim: write('evc.yaml', text('creation.rst', named('evc'))),
  };
}
