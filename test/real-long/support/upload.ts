import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signed } from '../../../fetcher/sources/s3-signature.ts';
import { KEYS } from './object-store.ts';

/** Puts the files of a folder into a new bucket, large ones in parts: `upload.ts ENDPOINT BUCKET FOLDER`. */
const [, , endpoint = '', bucket = '', folder = ''] = process.argv;

/** Of a part of an upload; a file that is larger has several. */
const PART_BYTES = 32 * 2 ** 20;

async function call(method: string, path: string, body?: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  const keys = { accessKeyId: KEYS.AWS_ACCESS_KEY_ID, secretAccessKey: KEYS.AWS_SECRET_ACCESS_KEY };
  const { url, headers } = signed({ url: `${endpoint}/${bucket}${path}`, method, headers: {} }, keys, 'us-east-1');
  const response = await fetch(url, { method, headers: headers ?? {}, ...(body !== undefined && { body }) });
  if (!response.ok) throw new Error(`${method} ${path}: status ${response.status}, ${await response.text()}`);
  return response;
}

async function put(path: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
  if (content.length <= PART_BYTES) return void (await call('PUT', path, content));
  const begun = await (await call('POST', `${path}?uploads=`)).text();
  const id = /<UploadId>([^<]+)</.exec(begun)?.[1] ?? '';
  const parts: string[] = [];
  for (let at = 0; at < content.length; at += PART_BYTES) {
    const number = parts.length + 1;
    const part = content.subarray(at, at + PART_BYTES);
    const { headers } = await call('PUT', `${path}?partNumber=${number}&uploadId=${id}`, part);
    parts.push(`<Part><PartNumber>${number}</PartNumber><ETag>${headers.get('etag')}</ETag></Part>`);
  }
  const all = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
  await call('POST', `${path}?uploadId=${id}`, all);
}

await call('PUT', '');
for (const name of readdirSync(folder)) await put(`/tiny/${name}`, readFileSync(join(folder, name)));
