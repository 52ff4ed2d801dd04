import { MODEL_URI_FORMS, URI_CHARACTERS, URI_ENCODING } from '../parts/weights/index.ts';
import type { Rule } from '../schema/rules.ts';

/** How a URI of each scheme may begin: Hugging Face has two names. */
const prefixesOf = (scheme: string): readonly string[] => (scheme === 'hf' ? ['hf', 'huggingface'] : [scheme]);

const PREFIXES = MODEL_URI_FORMS.flatMap(({ scheme }) => prefixesOf(scheme));

/** Whether `uri` has weights that must be fetched onto a volume, as a CEL expression. */
export const isFetched = (uri: string): string => `${uri}.matches('^(hf|huggingface|s3|gs|az|https)://')`;

/** Whether the weights of `uri` are mounted from where they are, as a CEL expression. */
export const isMounted = (uri: string): string => `${uri}.matches('^(oci|pvc)://')`;

/**
 * Rules of `spec.model.uri`: the scheme, then the form of each scheme, so that a message shows just the one form.
 */
export const uriRules: readonly Rule[] = [
  {
    rule: `self.matches('^(${PREFIXES.join('|')})://')`,
    message: `must begin with one of ${PREFIXES.map((prefix) => `${prefix}://`).join(', ')}`,
  },
  {
    rule: `self.matches(r'${URI_CHARACTERS}')`,
    message: 'must be without spaces, control characters, quotes, "$", "(" and ")": write them percent-encoded',
  },
  {
    rule: `!self.matches('^(${PREFIXES.join('|')})://') || self.matches(r'${URI_ENCODING}')`,
    message:
      'must have "%" only before the two digits of a byte of UTF-8, as in my%20model; ".", "/", a backslash and what is not seen can\'t be written so: write "%" itself as %25',
  },
  ...MODEL_URI_FORMS.map(({ scheme, form, pattern }) => {
    const prefix = `^(${prefixesOf(scheme).join('|')})://`;
    return {
      rule: `!self.matches('${prefix}') || self.matches(r'^${pattern}$')`,
      message: `must have the form ${form}`,
    };
  }),
];
