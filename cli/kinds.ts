import { kindsWith } from '../compat/kinds/index.ts';
import { variable } from '../operator/kube/index.ts';

/**
 * The kinds as commands know them. Which annotations the administrator of a cluster allows is told by no API, so commands
 * render all, and say which are refused by default.
 */
export const { kinds, allKinds } = kindsWith({
  allowedAnnotations: { ingress: ['*'], serviceAccount: ['*'], pod: ['*'] },
  fetcherImage: variable('TRUNNION_FETCHER_IMAGE'),
});
