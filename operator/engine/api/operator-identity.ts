import { isDnsLabel, isDnsName } from '../../../constructs/parts/values/index.ts';

/** What names an operator to the API server, to its users and to other operators of the cluster. */
export interface Identity {
  /** Of its account, its Deployment and its Lease; of its requests, and the reporter of its events. */
  readonly name: string;
  /** What people call it: in messages. */
  readonly title: string;
  /** Of its annotations and finalizers: `acme.dev`. */
  readonly domain: string;
  /** Owns the fields of children that it applies, and its finalizers. */
  readonly fieldManager: string;
  /** Owns the status of resources: a manager of its own, since one entry can't hold spec and status. */
  readonly statusManager: string;
  /** Keeps a field alive while it passes from the operator to somebody else. */
  readonly handoverManager: string;
  /** Value of {@link MANAGED_BY_LABEL} on all children. */
  readonly managedBy: string;
  /** Keys of the labels by which it finds again what it has made, and what that has made. */
  readonly labels: IdentityLabels;
  /** Value of the label `operator`. */
  readonly partOf: string;
  /** Finalizer of a policy, by which it outlives the pods that it covers: see staying.ts. */
  readonly podProtection: string;
  /**
   * Annotation by which a resource is left alone: nothing of it is written but the condition {@link PAUSED}, which repeats
   * the annotation's value, so that anyone who set it knows when it holds.
   */
  readonly pausedAnnotation: string;
  /** Annotation whose change has a resource that was set aside tried again, as Flux's annotation of that name has. */
  readonly requestedAtAnnotation: string;
  /** What the names of its own metrics begin with. */
  readonly metricPrefix: string;
  /**
   * Commands that messages may advise.
   *
   * @default - none
   */
  readonly commands?: {
    /** Takes over what another host has made; kind, name and namespace follow. */
    readonly adopt: string;
    /** Applies the CRDs of this release. */
    readonly install: string;
  };
}

/** Keys of labels. */
export interface IdentityLabels {
  /** Whose pods they are. */
  readonly operator: string;
  /** With the label of the kind. */
  readonly kind: string;
  /** With the name of the resource. */
  readonly name: string;
  /** On what has no owner, since it lies elsewhere: the namespace of the resource. */
  readonly namespace: string;
  /** On the same: the UID of the resource. */
  readonly uid: string;
}

export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';

/** Condition that tells that a resource is left alone. */
export const PAUSED = 'Paused';
/**
 * Condition that tells that the operator itself makes no progress with a resource: an abnormal-true condition, as
 * kstatus (sigs.k8s.io/cli-utils) defines it. It is absent where all is well.
 */
export const STALLED = 'Stalled';

/** What an identity is made from. */
export interface IdentityOptions {
  /** Of the operator, as a DNS label: `acme-operator`. */
  readonly name: string;
  /** Of its labels, annotations and finalizers, as a DNS name: `acme.dev`. */
  readonly domain: string;
}

/**
 * The identity of an operator: all follows from its name and its domain.
 *
 * @throws RangeError with all that is wrong with them
 */
export function identityFor({ name, domain }: IdentityOptions): Identity {
  const problems = [
    ...(isName(name)
      ? []
      : [`name: must be a DNS label of at most 54 characters, so that others can be made of it; got ${json(name)}`]),
    ...(isDnsName(domain, 200) ? [] : [`domain: must be a DNS name of at most 200 characters; got ${json(domain)}`]),
  ];
  if (problems.length > 0) throw new RangeError(`The operator can't be named:\n${problems.join('\n')}`);
  return {
    name,
    title: name,
    domain,
    fieldManager: name,
    statusManager: `${name}-status`,
    handoverManager: `${name}-handover`,
    managedBy: name,
    labels: {
      operator: `${domain}/operator`,
      kind: `${domain}/kind`,
      name: `${domain}/name`,
      namespace: `${domain}/namespace`,
      uid: `${domain}/uid`,
    },
    partOf: name,
    podProtection: `${domain}/pod-protection`,
    pausedAnnotation: `${domain}/paused`,
    requestedAtAnnotation: `${domain}/requested-at`,
    metricPrefix: name.replaceAll('-', '_'),
  };
}

/** Others are made of it, and names of metrics begin with a letter. */
const isName = (text: unknown): boolean => isDnsLabel(text, 54) && /^[a-z]/.test(text);

const json = (value: unknown): string => JSON.stringify(value) ?? String(value);
