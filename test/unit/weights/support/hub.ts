import { createHash, randomBytes } from 'node:crypto';
import { send, sendJson, startHost } from './host.ts';
import type { Fault, Host, Listening } from './host.ts';

export const COMMIT = '0123456789abcdef0123456789abcdef01234567';

/** A file of a repository; large ones are kept by LFS, as on the Hub. */
export interface HubFile {
  readonly content: Buffer;
  readonly lfs?: boolean;
  /** What is sent in place of the content. */
  readonly sent?: (time: number) => Buffer;
  /** The origin of another host that the Hub sends its callers to. */
  readonly cdn?: string;
  /** By how many requests for the file came before. */
  readonly fault?: (time: number) => Fault;
}

export const weights = (bytes: number): Buffer => randomBytes(bytes);

/** Acts as the Hugging Face Hub with one repository, acme/tiny. */
export async function startHub(
  files: Readonly<Record<string, HubFile>>,
  token?: string,
  pageSize = 2,
  listening?: Listening,
): Promise<Host> {
  const times = new Map<string, number>();
  const repository = '/acme/tiny';
  return await startHost(
    async (request, response, seen, url) => {
      if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
        sendJson(response, { error: `no ${String(request.headers.authorization)}` }, 401, {
          'x-error-code': 'RepoNotFound',
        });
        return;
      }
      const { pathname } = url;
      if (pathname === `/api/models${repository}/revision/main`) {
        sendJson(response, { sha: COMMIT });
        return;
      }
      if (pathname === `/api/models${repository}/tree/${COMMIT}`) {
        const at = Number(url.searchParams.get('cursor') ?? 0);
        const page = Object.entries(files)
          .slice(at, at + pageSize)
          .map(([path, file]) => entryOf(path, file));
        const more = at + pageSize < Object.keys(files).length;
        const next = `<https://elsewhere.example${pathname}?cursor=${at + pageSize}>; rel="next"`;
        sendJson(response, page, 200, more ? { link: next } : {});
        return;
      }
      const path = decodeURIComponent(pathname.slice(`${repository}/resolve/${COMMIT}/`.length));
      const file = files[path];
      if (!pathname.startsWith(`${repository}/resolve/${COMMIT}/`) || !file) {
        sendJson(response, { error: 'not found' }, 404, { 'x-error-code': 'RevisionNotFound' });
        return;
      }
      if (file.cdn !== undefined) {
        response.writeHead(302, { location: `${file.cdn}/blob?signature=canary-signature` }).end();
        return;
      }
      const time = times.get(path) ?? 0;
      times.set(path, time + 1);
      await send(request, response, seen, file.sent?.(time) ?? file.content, {}, file.fault?.(time));
    },
    undefined,
    listening,
  );
}

function entryOf(path: string, { content, lfs = false }: HubFile): object {
  if (lfs) {
    const oid = createHash('sha256').update(content).digest('hex');
    return { type: 'file', path, size: content.length, oid: 'a'.repeat(40), lfs: { oid, size: content.length } };
  }
  const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  return { type: 'file', path, size: content.length, oid };
}
