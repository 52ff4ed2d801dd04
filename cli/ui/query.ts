import { allKinds } from '../kinds.ts';
import { RequestError } from './request-error.ts';

/** A resource as the page names it. */
export interface Reference {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const KINDS: ReadonlySet<string> = new Set(allKinds.map(({ type }) => type.kind));

/** Of a namespace, and of a container: RFC 1123, one label. */
const LABEL = /^[a-z0-9][-a-z0-9]{0,62}$/;

/** Of a resource, and of a pod: labels with dots between them. */
const NAME = /^[a-z0-9][-.a-z0-9]{0,252}$/;

/** What is asked of a path. */
export class Query {
  readonly #parameters: URLSearchParams;

  /** @param target - the path with its query */
  constructor(target: string) {
    const at = target.indexOf('?');
    this.#parameters = new URLSearchParams(at === -1 ? '' : target.slice(at));
  }

  /** @throws RequestError */
  resource(): Reference {
    const [kind, namespace, name] = (['kind', 'namespace', 'name'] as const).map((field) => {
      const value = this.#value(field);
      if (value === undefined)
        throw new RequestError(400, `${field} is missing: ?kind=KIND&namespace=NAMESPACE&name=NAME`);
      return value;
    }) as [string, string, string];
    return checked({ kind, namespace, name });
  }

  /**
   * @returns undefined for all of them
   * @throws RequestError
   */
  namespace(): string | undefined {
    return this.#matching('namespace', LABEL);
  }

  /** @throws RequestError */
  pod(): string | undefined {
    return this.#matching('pod', NAME);
  }

  /** @throws RequestError */
  container(): string | undefined {
    return this.#matching('container', LABEL);
  }

  /** @throws RequestError */
  count(field: string, otherwise: number): number {
    const value = this.#value(field);
    if (value === undefined) return otherwise;
    if (!/^\d{1,4}$/.test(value)) throw new RequestError(400, `${field} must be a whole number from 0 to 9999`);
    return Number(value);
  }

  #matching(field: string, pattern: RegExp): string | undefined {
    const value = this.#value(field);
    if (value !== undefined && !pattern.test(value)) throw notName(field);
    return value;
  }

  /** What is empty is not there. */
  #value(field: string): string | undefined {
    const value = this.#parameters.get(field);
    return value === null || value === '' ? undefined : value;
  }
}

/**
 * A reference whose parts are of the form that Kubernetes takes.
 *
 * @throws RequestError
 */
export function checked(reference: Reference): Reference {
  const { kind, namespace, name } = reference;
  if (!KINDS.has(kind)) {
    throw new RequestError(400, `kind must be one of: ${[...KINDS].join(', ')}`);
  }
  if (!LABEL.test(namespace)) throw notName('namespace');
  if (!NAME.test(name)) throw notName('name');
  return { kind, namespace, name };
}

const notName = (field: string): RequestError =>
  new RequestError(400, `${field} must be a name of Kubernetes: small letters, digits and -`);
