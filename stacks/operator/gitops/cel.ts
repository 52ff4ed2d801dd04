import { HEALTH_RULES, PAUSED_ANNOTATION, type Health, type HealthRule } from './rules.ts';

/** `healthCheckExprs` of a Kustomization, but for the kind. */
export interface HealthExpressions {
  readonly current: string;
  readonly failed: string;
}

/**
 * What Flux goes by. Flux 2.5 and newer looks at the generation itself, asks `failed`, then `current`, and calls the rest
 * in progress (StatusEvaluator in runtime/cel of github.com/fluxcd/pkg 0.122). A resource without a status is an error for
 * CEL, which Flux calls Unknown and asks again about.
 */
export const healthExpressions = (): HealthExpressions => ({
  current: expression(['Healthy', 'Suspended'], true),
  failed: expression(['Degraded'], false),
});

/** A chain of choices: the first condition that holds decides, as it does in Lua. */
function expression(healths: readonly Health[], paused: boolean): string {
  const isSo = ({ health }: HealthRule): boolean => healths.includes(health);
  const last = HEALTH_RULES.findLastIndex(isSo);
  const rules = HEALTH_RULES.slice(0, last + 1);
  return [
    `has(metadata.annotations) && '${PAUSED_ANNOTATION}' in metadata.annotations ? ${paused} :`,
    '!has(status.conditions) ? false :',
    ...rules.map((rule) => `${celRule(rule)} ? ${isSo(rule)} :`),
    'false',
  ].join('\n');
}

function celRule({ type, status, reason, otherThan, without }: HealthRule): string {
  const terms = [
    `c.type == '${type}'`,
    ...(status === undefined ? [] : [`c.status == '${status}'`]),
    ...(reason === undefined ? [] : [`c.reason == '${reason}'`]),
    ...(otherThan === undefined ? [] : [`c.reason != '${otherThan}'`]),
  ];
  const there = exists(terms.join(' && '));
  return without === undefined ? there : `${there} && !${exists(`c.type == '${without}'`)}`;
}

const exists = (terms: string): string => `status.conditions.exists(c, ${terms})`;
