import { kindsWith } from '../../compat/kinds/index.ts';

/** The kinds of an operator whose administrator allows every annotation: for specs that have any that there may be. */
export const permissiveKinds = kindsWith({
  allowedAnnotations: { ingress: ['*'], serviceAccount: ['*'], pod: ['*'] },
}).kinds;
