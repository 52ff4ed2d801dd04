/** A label selector, as objects of the API have it; the empty one selects everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

type Labels = Readonly<Record<string, string>>;
type Expression = NonNullable<LabelSelector['matchExpressions']>[number];

/** Whether a selector selects an object with these labels. One with an operator that is not known selects it: to be safe. */
export const selects = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => valueOf(labels, key) === value) &&
  matchExpressions.every((expression) => holds(expression, labels));

function holds({ key, operator, values = [] }: Expression, labels: Labels): boolean {
  const value = valueOf(labels, key);
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return true;
  }
}

/** A label may be called `constructor`. */
const valueOf = (labels: Labels, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;

/** A selector as a request has it: `a=b,c in (d,e),!f`. What it can't say it leaves out, so that it selects more. */
export const selectorQuery = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string =>
  [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.flatMap(({ key, operator, values = [] }) => {
      if (operator === 'In') return [`${key} in (${values.join()})`];
      if (operator === 'NotIn') return [`${key} notin (${values.join()})`];
      if (operator === 'Exists') return [key];
      return operator === 'DoesNotExist' ? [`!${key}`] : [];
    }),
  ].join();
