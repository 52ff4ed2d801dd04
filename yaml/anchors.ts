import { YamlError } from './error.ts';

/** A value, and how many nodes it is made of, aliases written out. */
export interface Anchored {
  readonly value: unknown;
  readonly size: number;
}

/** From so many nodes on, and so many of them by aliases, the share of aliases is looked at. */
const FEW_NODES = 1_000;
const FEW_ALIASED = 100;

/** Up to the first number of nodes, nearly all may come from aliases; from the second on, hardly any. */
const [MANY_NODES, TOO_MANY_NODES] = [400_000, 4_000_000];
const [MOST, LEAST] = [0.99, 0.1];

/** The share of nodes that may come from aliases: `allowedAliasRatio` of decode.go, go.yaml.in/yaml/v2 v2.4.3. */
const allowedShare = (nodes: number): number =>
  MOST - (MOST - LEAST) * Math.min(1, Math.max(0, (nodes - MANY_NODES) / (TOO_MANY_NODES - MANY_NODES)));

/** The anchors of a document that is read from its beginning to its end, and the count of what its aliases stand for. */
export class Anchors {
  readonly #values = new Map<string, Anchored | 'open'>();
  #nodes = 0;
  #aliased = 0;

  /**
   * Begins a node; its anchor, where it has one, means nothing until the node is closed.
   *
   * @returns what closes it with its value
   */
  open(anchor: string | undefined): (value: unknown) => Anchored {
    const before = this.#nodes;
    this.#nodes += 1;
    if (anchor !== undefined) this.#values.set(anchor, 'open');
    return (value) => {
      const closed = { value, size: this.#nodes - before };
      if (anchor !== undefined) this.#values.set(anchor, closed);
      return closed;
    };
  }

  /** What an alias stands for. */
  use(anchor: string, where: () => string): Anchored {
    const found = this.#values.get(anchor);
    if (found === undefined) throw new YamlError(`${where()}the alias *${anchor} has no anchor &${anchor} before it`);
    if (found === 'open') throw new YamlError(`${where()}the anchor &${anchor} contains itself`);
    // The alias itself is a node of what is written.
    this.#nodes += 1 + found.size;
    this.#aliased += found.size;
    const share = this.#aliased / this.#nodes;
    if (this.#aliased > FEW_ALIASED && this.#nodes > FEW_NODES && share > allowedShare(this.#nodes)) {
      throw new YamlError(`${where()}its aliases stand for too much: write out less of it by aliases`);
    }
    return found;
  }
}
