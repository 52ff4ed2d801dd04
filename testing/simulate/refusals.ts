import { ApiError } from '../../operator/kube/index.ts';
import type { Request } from './client.ts';
import { SimulationError } from './errors.ts';
import { isNamed, type ObjectName } from './names.ts';

/** How the API server refuses a write. */
export interface Refusal {
  /**
   * The HTTP status: 403 where a right or a quota is missing, 422 where it is not valid, 429 or 5xx where the server is in trouble.
   *
   * @default 403
   */
  readonly status?: number;
  /**
   * What it says.
   *
   * @default - that the operator may not do that
   */
  readonly message?: string;
}

/** Writes that the API server refuses, until they are allowed again. */
export class Refusals {
  readonly #refused = new Map<ObjectName, Refusal>();

  refuse(name: ObjectName, refusal: Refusal): void {
    const { status = 403 } = refusal;
    if (!Number.isInteger(status) || status < 400 || status > 599) {
      throw new SimulationError(`status must be an HTTP status from 400 to 599 (got ${String(status)})`);
    }
    this.#refused.set(name, refusal);
  }

  allow(name: ObjectName): void {
    if (this.#refused.delete(name)) return;
    const names = [...this.#refused.keys()];
    throw new SimulationError(
      `nothing is refused for ${name}; what is refused: ${names.length === 0 ? 'nothing' : names.join(', ')}`,
    );
  }

  /** @throws ApiError where a request is a write that is refused */
  check({ verb, object }: Request): void {
    if (verb === 'get' || verb === 'list') return;
    for (const [name, { status = 403, message = messageFor(verb, object.kind) }] of this.#refused) {
      if (isNamed(name, object)) throw new ApiError(status, { message, details: { kind: object.kind } });
    }
  }
}

const messageFor = (verb: string, kind: string): string =>
  `the operator is not allowed to ${verb === 'status' ? 'write the status of' : verb} ${kind} objects`;
