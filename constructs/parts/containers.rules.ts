import type { Rule } from '../schema/rules.ts';

/** Names of the containers that a workload has, by list. */
type OwnContainers = Readonly<Record<'containers' | 'initContainers', readonly string[]>>;

/** Rules of `spec` about the containers that `podTemplate` adds or changes. */
export const containerRules = (own: OwnContainers): readonly Rule[] => [
  imageRule('containers', own.containers),
  imageRule('initContainers', own.initContainers),
  ...(own.initContainers.length > 0 ? [nameRule('containers', own.initContainers)] : []),
  nameRule('initContainers', own.containers),
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
const imageRule = (list: List, own: readonly string[]): Rule => ({
  rule: `!(${given(list)}) || ${pathOf(list)}.all(c, has(c.image) || c.name in ${celList(own)})`,
  fieldPath: `.podTemplate.spec.${list}`,
  message:
    own.length === 0
      ? 'each must have an image'
      : `each must have an image, but for ${own.join(', ')}, which the workload has already`,
});

/** The names of a pod's containers are unique over both lists. */
const nameRule = (list: List, taken: readonly string[]): Rule => ({
  rule: `!(${given(list)}) || !${pathOf(list)}.exists(c, c.name in ${celList(taken)})`,
  fieldPath: `.podTemplate.spec.${list}`,
  message: `must not have ${taken.join(', ')}, which the workload has in its other list of containers: choose another name`,
});
