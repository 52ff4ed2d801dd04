import type { Rule } from '../schema/rules.ts';

/**
 * Rules of `spec`: a container that `podTemplate` adds needs an image; one that the workload has already has one.
 *
 * @param own - names of the containers that the workload has, by list
 */
export const containerRules = (own: Readonly<Record<'containers' | 'initContainers', readonly string[]>>) =>
  (['containers', 'initContainers'] as const).map((list): Rule => {
    const path = `self.podTemplate.spec.${list}`;
    const names = own[list].map((name) => `'${name}'`).join(', ');
    const isOwn = names === '' ? '' : ` || c.name in [${names}]`;
    const butFor = names === '' ? '' : `, but for ${own[list].join(', ')}, which the workload has already`;
    return {
      rule: `!has(self.podTemplate) || !has(self.podTemplate.spec) || !has(${path}) || ${path}.all(c, has(c.image)${isOwn})`,
      fieldPath: `.podTemplate.spec.${list}`,
      message: `each must have an image${butFor}`,
    };
  });
