/**
 * How something is doing: as it should be; on its way; not able to continue by itself; not made yet; on its way out.
 */
export type State = 'ok' | 'waiting' | 'failed' | 'absent' | 'leaving';

/** How an object is doing, in words. */
export interface ObjectState {
  readonly state: State;
  /** What it has come to: `2/2 ready`. Empty where there is nothing to be told. */
  readonly summary: string;
  /** What it waits for, or what is the matter, and what to do. */
  readonly because: readonly string[];
}

/** An object with those that it owns. */
export interface StatusNode extends ObjectState {
  readonly kind: string;
  readonly name: string;
  readonly children: readonly StatusNode[];
}

/** A resource with all that belongs to it. */
export interface ResourceStatus {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Where it stands, in one word; empty where no operator has said so yet. */
  readonly phase: string;
  /** Since when it is there, in ISO 8601. */
  readonly createdAt: string;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
  }[];
  /**
   * What its program has told as its result, and where.
   *
   * @default - nothing yet
   */
  readonly result?: string;
  /** What is to be known beside that: that no operator looks, what may not be seen. */
  readonly notes: readonly string[];
  readonly children: readonly StatusNode[];
}
