/** What the types of cdk8s-plus are taken by. */
const IMPORT = /^import type \{ k8s \} from 'cdk8s-plus-28';\n/m;

/**
 * The types of a module without those of cdk8s-plus, which no user need install for them: it has 10 MB. Nothing that is
 * public has one of them.
 */
export const withoutPlus = (text: string): string =>
  IMPORT.test(text) ? text.replace(IMPORT, '').replaceAll(/Plain<k8s\.\w+>/g, 'any') : text;
