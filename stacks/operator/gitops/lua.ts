import { HEALTH_RULES, PAUSED_ANNOTATION, type HealthRule } from './rules.ts';

/**
 * The health check of Argo CD, for each of our kinds. Argo CD 3.6 runs it by gopher-lua 1.1, which knows Lua 5.1, with the
 * base library and `table`, and without `string` and `math` (runLua in util/lua/lua.go). It has one second, and `obj`.
 */
export const healthLua = (): string =>
  [
    'local found = {}',
    'for _, condition in ipairs((obj.status or {}).conditions or {}) do found[condition.type] = condition end',
    `if (obj.metadata.annotations or {})[${text(PAUSED_ANNOTATION)}] ~= nil then`,
    `  return { status = "Suspended", message = (found.Paused or {}).message or ${text(`It has the annotation ${PAUSED_ANNOTATION}.`)} }`,
    'end',
    'if next(found) == nil then',
    '  return { status = "Progressing", message = "The operator has not reported on it yet." }',
    'end',
    'if obj.status.observedGeneration ~= obj.metadata.generation then',
    '  return { status = "Progressing", message = "The operator has not seen its last change yet." }',
    'end',
    'local rules = {',
    ...HEALTH_RULES.map((rule) => `  ${luaRule(rule)},`),
    '}',
    'for _, rule in ipairs(rules) do',
    '  local condition = found[rule.type]',
    '  if condition ~= nil',
    '    and (rule.status == nil or condition.status == rule.status)',
    '    and (rule.reason == nil or condition.reason == rule.reason)',
    '    and (rule.otherThan == nil or condition.reason ~= rule.otherThan)',
    '    and (rule.without == nil or found[rule.without] == nil) then',
    '    return { status = rule.health, message = condition.message }',
    '  end',
    'end',
    'return { status = "Progressing", message = "None of its conditions says whether it is ready." }',
    '',
  ].join('\n');

const luaRule = (rule: HealthRule): string =>
  `{ ${Object.entries(rule)
    .map(([key, value]) => `${key} = ${text(String(value))}`)
    .join(', ')} }`;

/** All that is written so is of our own: letters, dots and slashes. */
const text = (value: string): string => JSON.stringify(value);
