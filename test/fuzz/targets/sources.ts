import { lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { hubModelOf } from '../../../cli/init/hub-answer.ts';
import { shapeOf } from '../../../constructs/parts/sizing/index.ts';
import { unpack } from '../../../fetcher/archive.ts';
import { FetchError } from '../../../fetcher/errors.ts';
import { jsonOf } from '../../../fetcher/json.ts';
import { parseAzurePage } from '../../../fetcher/sources/azure-answers.ts';
import {
  parseAccessToken,
  parseAssumedRole,
  parseContainerCredentials,
} from '../../../fetcher/sources/credential-answers.ts';
import { parseGcsPage } from '../../../fetcher/sources/gcs-answers.ts';
import { parseHubPage, parseHubRevision } from '../../../fetcher/sources/hub-answers.ts';
import { parseS3Page, s3Code, s3Region } from '../../../fetcher/sources/s3-answers.ts';
import { holds, type Target } from '../target.ts';

const NOW = 1_700_000_000_000;

interface Listed {
  readonly items: readonly { readonly key: string; readonly bytes: number }[];
}

function areFiles({ items }: Listed): void {
  for (const { key, bytes } of items) {
    holds(typeof key === 'string', 'the name of a file is text');
    holds(Number.isSafeInteger(bytes) && bytes >= 0, 'the size of a file is a count');
  }
}

/** What the Hub says of a model before anything is fetched: its files, and its config.json. */
function areSizes(answer: unknown): void {
  const { weightBytes = 0, fileBytes = 0 } = hubModelOf(answer, answer, 'hub');
  holds(fileBytes >= weightBytes, 'weights are files');
  const shape = shapeOf(answer);
  holds('lacks' in shape || (Number.isFinite(shape.weightBytes) && shape.weightBytes > 0), 'a shape has a size');
}

/** Each of several parsers of one kind of answer takes the same bytes, whatever another says to them. */
function each(...parsers: readonly (() => void)[]): void {
  const errors = parsers.flatMap((parser) => {
    try {
      parser();
      return [];
    } catch (error) {
      return [error];
    }
  });
  const worst = errors.find((error) => !(error instanceof FetchError)) ?? errors[0];
  if (worst !== undefined) throw worst;
}

/** The first line is a header, and the rest a body. */
function headerAndBody(bytes: Buffer): readonly [header: string, body: string] {
  const [header = '', ...rest] = bytes.toString().split('\n');
  return [header, rest.join('\n')];
}

const hub: Target = {
  name: 'hub',
  run(bytes) {
    const [link, body] = headerAndBody(bytes);
    each(
      () => areFiles(parseHubPage(body, link)),
      () => holds(/^[0-9a-f]{40}$/.test(parseHubRevision(body)), 'a revision is a commit'),
      () => areSizes(jsonOf(body)),
    );
  },
  refusals: [FetchError],
};

const s3: Target = {
  name: 's3',
  run(bytes) {
    const text = bytes.toString();
    holds(/^[A-Za-z0-9-]{0,64}$/.test(s3Code(text)), 'the code of an error is a word');
    holds(/^[A-Za-z0-9-]{1,64}$/.test(s3Region(new Headers(), text) ?? 'none'), 'a region is a word');
    areFiles(parseS3Page(text));
  },
  refusals: [FetchError],
};

const azure: Target = {
  name: 'azure',
  run: (bytes) => areFiles(parseAzurePage(bytes.toString())),
  refusals: [FetchError],
};

const gcs: Target = {
  name: 'gcs',
  run: (bytes) => areFiles(parseGcsPage(bytes.toString())),
  refusals: [FetchError],
};

const credentials: Target = {
  name: 'credentials',
  run(bytes) {
    const text = bytes.toString();
    each(
      ...[parseAssumedRole, parseContainerCredentials].map((parser) => () => {
        const { value, expires } = parser(text);
        for (const part of Object.values(value))
          holds(/^[\x21-\x7e]+$/.test(part ?? 'a'), 'a header takes a credential');
        holds(Number.isFinite(expires), 'a credential has a time');
      }),
      () => holds(/^[\x21-\x7e]+$/.test(parseAccessToken(text, NOW).value), 'a header takes a token'),
    );
  },
  refusals: [FetchError],
};

/** In memory where there is such a folder: an archive is a file. */
const scratch = mkdtempSync(join(tmpdir(), 'trunnion-archives-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** What was unpacked is files and folders, and links that end among them. */
function staysInside(root: string, folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const entry = lstatSync(path);
    holds(entry.isDirectory() || entry.isFile() || entry.isSymbolicLink(), 'there are files, folders and links');
    holds((entry.mode & 0o7000) === 0, 'nothing runs as somebody else');
    holds(realpathSync(path).startsWith(root + sep), 'each path ends in the folder');
    if (entry.isDirectory()) staysInside(root, path);
  }
}

const archive: Target = {
  name: 'archive',
  async run(bytes) {
    const home = join(scratch, 'home');
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    const file = join(home, 'model.tar');
    const folder = join(home, 'model');
    writeFileSync(file, bytes);
    try {
      await unpack(file, folder, new AbortController().signal);
      staysInside(realpathSync(folder), folder);
    } finally {
      const beside = readdirSync(home).filter((name) => name !== 'model.tar' && name !== 'model');
      holds(beside.length === 0, `nothing is written beside the folder: ${beside.join(', ')}`);
    }
  },
  refusals: [FetchError],
  // Behind its end an archive may hold anything, and nothing of it is read.
  repeats: false,
};

export const sourceTargets: readonly Target[] = [hub, s3, azure, gcs, credentials, archive];
