import { AMD, NVIDIA_DEVICES, OTHER_VENDORS, type Accelerator } from '../parts/pod/index.ts';
import type { Rule } from '../schema/rules.ts';
import { celList } from './engine.cel.ts';
import { ENGINE_TABLE } from './engine.table.ts';
import { ENGINES, type EngineType } from './engines.ts';
import { SERVER } from './server-container.ts';

/** Custom has a rule of its own. */
const OWN: readonly EngineType[] = ENGINES.filter((type) => type !== 'custom');

/** What `podTemplate` says of the container that serves; `c` is that container. */
const serverPatch = (rule: string): string =>
  `has(self.podTemplate) && has(self.podTemplate.spec) && has(self.podTemplate.spec.containers) && self.podTemplate.spec.containers.exists(c, c.name == '${SERVER}' && (${rule}))`;

const isNamed = `has(self.engine.image) || ${serverPatch('has(c.image)')}`;

const hasDevices = (owner: string): string =>
  `has(${owner}.env) && ${owner}.env.exists(e, e.name == '${NVIDIA_DEVICES}')`;
const hasExtended = (list: 'limits' | 'requests'): string =>
  `has(c.resources) && has(c.resources.${list}) && c.resources.${list}.exists(r, r.contains('/'))`;

/** The same as `computesOn` has it. */
const seesGpusOtherwise = [
  hasDevices('self'),
  hasDevices('self.engine'),
  serverPatch([hasDevices('c'), hasExtended('limits'), hasExtended('requests')].join(' || ')),
].join(' || ');

const isOf = (vendors: readonly string[]): string =>
  `self.resources.gpu > 0 && ${celList(vendors)}.exists(v, self.resources.gpuResource.startsWith(v + '/'))`;

/** Whether the pods compute on something else. */
const ELSEWHERE: Readonly<Record<Exclude<Accelerator, 'nvidia'> | 'other', string>> = {
  amd: `!(${isOf([AMD])})`,
  cpu: `self.resources.gpu > 0 || ${seesGpusOtherwise}`,
  other: `!(${isOf(OTHER_VENDORS)})`,
};

const WORDS = {
  amd: 'on GPUs of AMD',
  cpu: 'without resources.gpu',
  other: 'on accelerators of this vendor',
} as const;

function imageRule(where: keyof typeof ELSEWHERE): readonly Rule[] {
  const lacking = OWN.filter((type) => where === 'other' || ENGINE_TABLE[type].images[where] === undefined);
  if (lacking.length === 0) return [];
  const having = ENGINES.filter((type) => !lacking.includes(type));
  const need = `is required ${WORDS[where]}`;
  const choice = (type: EngineType) => (where === 'other' ? undefined : ENGINE_TABLE[type].choice?.[where]);
  const advice = (type: EngineType): string => `${type} ${choice(type) ?? 'has none that is known to run there'}`;
  const ofType = lacking.map((type) => `'${type}': '${advice(type)}'`).join(', ');
  return [
    {
      rule: `self.engine.type in ${celList(having)} || ${ELSEWHERE[where]} || ${isNamed}`,
      fieldPath: '.engine.image',
      message: `${need} for ${lacking.join(', ')}, of which no image is known that certainly runs there: name one`,
      ...(lacking.some(choice) && {
        messageExpression: `'${need}: ' + {${ofType}}[self.engine.type] + '. Name one that runs on the nodes'`,
      }),
    },
  ];
}

/** Rules of `spec` about images that no table can choose: see `images` of an engine. */
export const imageRules: readonly Rule[] = (['cpu', 'amd', 'other'] as const).flatMap(imageRule);
