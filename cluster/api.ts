import { Agent } from 'undici';

/** An answer of the API server that isn't success. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** As much of a client as a cluster needs to set itself up. */
export interface Api {
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
  /** Server-side apply with force. */
  apply(path: string, body: object): Promise<unknown>;
  delete(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A client for the API server at `url`, trusted by `ca`. */
export function api(url: string, ca: string, token: string): Api {
  const dispatcher = new Agent({ connect: { ca } });
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, type?: string, body?: object) => {
    const answer = await dispatcher.request({
      origin: url,
      path,
      method,
      headers: { authorization: `Bearer ${token}`, ...(type === undefined ? {} : { 'content-type': type }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) {
      throw new ApiError(answer.statusCode, `${method} ${path}: ${answer.statusCode} ${text}`);
    }
    return answer.headers['content-type'] === 'application/json' ? (JSON.parse(text) as unknown) : text;
  };
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, 'application/json', body),
    apply: (path, body) =>
      send('PATCH', `${path}?fieldManager=trunnion-cluster&force=true`, 'application/apply-patch+yaml', body),
    delete: (path) => send('DELETE', path),
    close: () => dispatcher.close(),
  };
}
