import { pluralOf } from '../../operator/runtime/index.ts';

/** What a user may say of a project. */
export interface ProjectOptions {
  /** API group of the kind. */
  readonly group: string;
  readonly kind: string;
  /** @default - the English one */
  readonly plural?: string;
  /**
   * The operator's name.
   *
   * @default - the group's first part and `-operator`
   */
  readonly name?: string;
}

/** The names in a project. */
export interface Names {
  /** `acme.dev` */
  readonly group: string;
  /** `WebApp` */
  readonly kind: string;
  /** `web-app`, of files. */
  readonly file: string;
  /** `webapps` */
  readonly plural: string;
  /** `acme-operator` */
  readonly operator: string;
}

/**
 * The names in a project, or all that is wrong with what was said.
 *
 * The rules for the group, the kind and its plural are those of CRDs: apiextensions-apiserver v0.36.3, validation.go.
 */
export function namesOf(options: ProjectOptions): Names | { readonly problems: readonly string[] } {
  const { group, kind, plural = pluralOf(kind), name = `${group.split('.')[0]}-operator` } = options;
  const isKind = KIND.test(kind);
  const ofGroup = groupProblems(group);
  const problems = [
    ...ofGroup,
    ...(isKind
      ? []
      : [`--kind ${kind}: must be letters and digits with a capital first, as WebApp, and have at most 59`]),
    ...(kind === 'Operator' ? [`--kind ${kind}: src/operator.ts is the program; choose another, as ${KIND_LIKE}`] : []),
    // Of a kind that is none, no plural is made.
    ...(LABEL.test(plural) || (options.plural === undefined && !isKind)
      ? []
      : [
          `--plural ${plural}: must be at most 63 lower-case letters, digits and dashes, with a letter first, as webapps`,
        ]),
    // Nor a name of a group that is none.
    ...(OPERATOR.test(name) || (options.name === undefined && ofGroup.length > 0)
      ? []
      : [
          `${nameFlag(options)}: must be at most 54 lower-case letters, digits and dashes, with a letter first, as acme-operator`,
        ]),
  ];
  return problems.length > 0 ? { problems } : { group, kind, file: fileOf(kind), plural, operator: name };
}

const KIND_LIKE = 'WebApp';

const KIND = /^[A-Z][A-Za-z0-9]{0,58}$/;

/** A label as RFC 1035 has it. */
const LABEL = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** As names of metrics, Leases and objects are made from it. */
const OPERATOR = /^[a-z](?:[-a-z0-9]{0,52}[a-z0-9])?$/;

/** A label as RFC 1123 has it. */
const PART = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** Where the name follows from the group, another one can be said. */
const nameFlag = ({ name, group }: ProjectOptions): string =>
  name === undefined ? `--name, which is ${group.split('.')[0]}-operator by --group` : `--name ${name}`;

function groupProblems(group: string): readonly string[] {
  const parts = group.split('.');
  if (group.length > 200 || parts.length < 2 || !parts.every((part) => PART.test(part))) {
    return [
      `--group ${group}: must be a domain with a dot in it, in lower case, of at most 200 characters, as acme.dev`,
    ];
  }
  const isProtected = ['k8s.io', 'kubernetes.io'].some((end) => group === end || group.endsWith(`.${end}`));
  return isProtected
    ? [`--group ${group}: Kubernetes keeps that domain for itself; take one of yours, as acme.dev`]
    : [];
}

/** `web-app` of `WebApp`, `http-route` of `HTTPRoute`. */
const fileOf = (kind: string): string =>
  kind.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
