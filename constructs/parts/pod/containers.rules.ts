import type { Rule } from '../../schema/rules.ts';

/** A container that a workload has. */
interface OwnContainer {
  readonly name: string;
  /**
   * Which specs have it, as an expression about `self`, and in words that continue after its name.
   *
   * @default - all of them
   */
  readonly where?: { readonly rule: string; readonly words: string };
}

/** The containers that a workload has, by list. */
type OwnContainers = Readonly<Record<'containers' | 'initContainers', readonly OwnContainer[]>>;

/** Rules of `spec` about the containers that `podTemplate` adds or changes. */
export const containerRules = (own: OwnContainers): readonly Rule[] => [
  imageRule('containers', own.containers),
  imageRule('initContainers', own.initContainers),
  ...(own.initContainers.length > 0 ? [nameRule('containers', own.initContainers)] : []),
  nameRule('initContainers', own.containers),
  ...(own.initContainers.length > 0 ? [restartRule(own.initContainers)] : []),
  {
    rule: `!(${given('containers')} && ${given('initContainers')}) || ${pathOf('containers')}.all(c, !${pathOf('initContainers')}.exists(i, i.name == c.name))`,
    fieldPath: '.podTemplate.spec.initContainers',
    message: 'must not have the name of a container: choose another name',
  },
];

type List = keyof OwnContainers;

const pathOf = (list: List): string => `self.podTemplate.spec.${list}`;

const given = (list: List): string => `has(self.podTemplate) && has(self.podTemplate.spec) && has(${pathOf(list)})`;

const celList = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`;

/** A container that is added needs an image; one that the workload has already has one. */
const imageRule = (list: List, own: readonly OwnContainer[]): Rule => ({
  rule: `!(${given(list)}) || ${pathOf(list)}.all(c, ${['has(c.image)', ...own.map(isOwn)].join(' || ')})`,
  fieldPath: `.podTemplate.spec.${list}`,
  message:
    own.length === 0
      ? 'each must have an image'
      : `each must have an image, but for ${own.map(inWords).join(' and ')}, which the workload has already`,
});

const isOwn = ({ name, where }: OwnContainer): string =>
  where === undefined ? `c.name == '${name}'` : `c.name == '${name}' && ${where.rule}`;

const inWords = ({ name, where }: OwnContainer): string => (where === undefined ? name : `${name} ${where.words}`);

/** The names of a pod's containers are unique over both lists. */
const nameRule = (list: List, own: readonly OwnContainer[]): Rule => {
  const taken = own.map(({ name }) => name);
  return {
    rule: `!(${given(list)}) || !${pathOf(list)}.exists(c, c.name in ${celList(taken)})`,
    fieldPath: `.podTemplate.spec.${list}`,
    message: `must not have ${taken.join(', ')}, which the workload has in its other list of containers: choose another name`,
  };
};

/** What the containers wait for must end: as a native sidecar it would never be waited for. */
const restartRule = (own: readonly OwnContainer[]): Rule => {
  const names = own.map(({ name }) => name);
  return {
    rule: `!(${given('initContainers')}) || !${pathOf('initContainers')}.exists(c, c.name in ${celList(names)} && has(c.restartPolicy))`,
    fieldPath: '.podTemplate.spec.initContainers',
    message: `must not set restartPolicy of ${names.join(', ')}, which must run to its end before the others start: leave it out`,
  };
};

/** Most values that the containers of a pod template may take from Secrets and ConfigMaps. Each is looked up by the operator. */
export const MOST_VALUES_FROM = 128;

/** Variables from elsewhere, of a list of containers that may not be there. */
const valuesFrom = (list: List): string =>
  `(has(self.${list}) ? self.${list}.map(c, (has(c.env) ? c.env.filter(e, has(e.valueFrom) && !has(e.valueFrom.fieldRef)).size() : 0) + (has(c.envFrom) ? c.envFrom.size() : 0)).sum() : 0)`;

/** A rule of a pod's `spec`: an operator that has to look up thousands of objects for one resource would keep others waiting. */
export const valuesFromRule: Rule = {
  rule: `${valuesFrom('containers')} + ${valuesFrom('initContainers')} <= ${MOST_VALUES_FROM}`,
  message: `must take at most ${MOST_VALUES_FROM} values from Secrets and ConfigMaps in the variables of all containers together: let envFrom take all keys of one at once`,
};
