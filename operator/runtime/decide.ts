import type {
  BareCondition,
  CommonStatus,
  DesiredState,
  ObservedChild,
  Query,
  Resource,
  Result,
  Snapshot,
} from '../engine/api/index.ts';
import { once } from '../../constructs/parts/values/index.ts';
import { namedBy } from '../engine/api/index.ts';
import { liesElsewhere } from '../engine/plan/index.ts';
import { newestFirst } from '../kinds/shared/order.ts';
import { lastWordsQueries } from '../kinds/shared/ends.ts';
import { because, type Diagnosis } from '../kinds/shared/diagnosis-text.ts';
import type { RenderedChild } from '../../constructs/workload.ts';
import type { AskFor, Asks, KindResult, View } from './definition.ts';
import { RELEASED } from './released.ts';
import { replicasOf } from './replicas.ts';
import { conditionsFor, standingOf } from './standing.ts';

type AnyView = View<unknown, CommonStatus, Asks>;
type AnyDecision = KindResult<object, CommonStatus, Asks>;

/** What a decision takes of a kind. */
export interface Decider {
  readonly parse: (resource: Resource) => unknown;
  readonly render: (resource: Resource, state: object) => readonly RenderedChild[];
  readonly reconcile: ((view: AnyView) => AnyDecision) | undefined;
  readonly scale: boolean;
  readonly askNames: readonly string[];
}

/** What to do now: as the kind decides, and as by default where it says nothing. */
export function decide(decider: Decider, snapshot: Snapshot, now: number): Result<object, CommonStatus> {
  const view = new ResourceView(decider, snapshot, now);
  const {
    asks = {},
    queries = [],
    conditions,
    status,
    state = {},
    requeueAt,
    ...rest
  } = decider.reconcile?.(view) ?? {};
  const isByDefault = conditions === undefined;
  // Nothing is left to be done before the end than that the children go.
  const release = rest.release ?? (view.deleting && decider.reconcile === undefined);
  return {
    ...rest,
    ...(requeueAt !== undefined && { requeueAt }),
    state: release && view.deleting ? releasedState(state, snapshot) : state,
    ...(release && { release }),
    status: { ...(decider.scale && isByDefault && view.replicas(state)), ...status },
    conditions: conditions ?? view.standing(state, Object.keys(asks)).conditions,
    queries: [
      ...queries,
      ...Object.entries(asks).map(([name, ask]) => queryFor(decider, name, ask ?? {})),
      ...(isByDefault ? lastWordsQueries(newestFirst(snapshot.pods)) : []),
    ],
  };
}

/** Of a resource that may go, children that no garbage collector finds go first: see render. */
const releasedState = (state: object, { children, resource }: Snapshot): object =>
  children.some(({ namespace }) => liesElsewhere(namespace === '' ? undefined : namespace, resource))
    ? { ...state, [RELEASED]: true }
    : state;

function queryFor({ askNames }: Decider, name: string, { input = null, everySeconds = 60 }: AskFor): Query {
  if (!askNames.includes(name)) {
    throw new TypeError(`reconcile asks ${name}, and the kind has the asks ${askNames.join(', ') || 'none'}`);
  }
  return { id: name, type: 'ask', name, input, everySeconds: Math.max(1, everySeconds) };
}

/** A snapshot with what most want to know of it, each found out when it is first asked for. */
class ResourceView implements AnyView {
  readonly resource: Resource;
  readonly children: readonly ObservedChild[];
  readonly pods: Snapshot['pods'];
  readonly related: Snapshot['related'];
  readonly answers: Snapshot['answers'];
  readonly failures: Snapshot['failures'];
  readonly now: number;
  readonly #decider: Decider;
  readonly #snapshot: Snapshot;
  readonly #spec: () => unknown;
  readonly #rendered = new Map<string, readonly DesiredState[]>();

  constructor(decider: Decider, snapshot: Snapshot, now: number) {
    const { resource, children, pods, related, answers, failures } = snapshot;
    this.resource = resource;
    this.children = children;
    this.pods = pods;
    this.related = related;
    this.answers = answers;
    this.failures = failures;
    this.now = now;
    this.#decider = decider;
    this.#snapshot = snapshot;
    this.#spec = once(() => decider.parse(resource));
  }

  get name(): string {
    return this.resource.metadata.name;
  }

  get namespace(): string {
    return this.resource.metadata.namespace ?? '';
  }

  get spec(): unknown {
    return this.#spec();
  }

  get status(): CommonStatus {
    return this.resource.status ?? {};
  }

  get deleting(): boolean {
    return this.resource.metadata.deletionTimestamp !== undefined;
  }

  child = (kind: string, name?: string): ObservedChild | undefined =>
    newestFirst(this.children).find((child) => child.kind === kind && (name === undefined || child.name === name));

  answer = (name: string): never => {
    const answer = this.answers[name];
    return (answer?.type === 'ask' ? answer.value : undefined) as never;
  };

  /** What the construct makes of a state; the first time a kind is asked while it runs, the engine renders once for all. */
  desired = (state: unknown): readonly DesiredState[] => {
    const key = JSON.stringify(state);
    const known = this.#rendered.get(key) ?? this.#desiredBy(state);
    this.#rendered.set(key, known);
    return known;
  };

  get ready(): boolean {
    return this.standing({}).ready;
  }

  get conditions(): readonly BareCondition[] {
    return this.standing({}).conditions;
  }

  /** @param asked - what is asked from now on: it is not ready before all of it is answered */
  standing = (state: object, asked: readonly string[] = []) => {
    const standing = standingOf(this.desired(state), { ...this.#snapshot, unanswered: this.#unanswered(asked) });
    return { ready: standing.open.length === 0 && standing.trouble === undefined, conditions: conditionsFor(standing) };
  };

  replicas(state: unknown) {
    return replicasOf(this.desired(state), this.children);
  }

  #desiredBy(state: unknown): readonly DesiredState[] {
    if (this.#snapshot.desired) return this.#snapshot.desired(state);
    return this.#decider.render(this.resource, state as object).map(({ manifest, ...child }) => ({
      ...child,
      object: namedBy(manifest),
      digest: '',
    }));
  }

  /** Asks that could not be answered the last time, and are tried again; and those that are new. */
  #unanswered(asked: readonly string[]): readonly Diagnosis[] {
    return this.#decider.askNames.flatMap((name) => {
      const answer = this.answers[name];
      if (answer?.type === 'unknown') return [askFailed(name, answer.message)];
      return answer === undefined && asked.includes(name) ? [asking(name)] : [];
    });
  }
}

const askFailed = (name: string, message: string): Diagnosis => ({
  reason: 'AskFailed',
  message: `${name} could not be found out${because(message)}. It is tried again.`,
  stuck: false,
});

const asking = (name: string): Diagnosis => ({
  reason: 'Asking',
  message: `${name} is being found out.`,
  stuck: false,
});
