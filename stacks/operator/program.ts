import { NO_FETCHER_IMAGE } from '../../constructs/parts/weights/index.ts';
import { imageOf, PORT, type Program } from './deployment.ts';
import type { Installation } from './installation.ts';
import type { Settings } from './settings.ts';

/** What our own operator is started with. */
export const programOf = ({ namespace, version, settings }: Installation): Program => ({
  args: argumentsOf(namespace, settings),
  env: [{ name: 'TRUNNION_FETCHER_IMAGE', value: fetcherImageOf(settings, version) }, ...settings.env],
});

/** Pods of models have no pull secrets of the operator's namespace; so an image that needs some is not given to them unasked. */
function fetcherImageOf({ fetcherImage, image }: Settings, version: string): string {
  if (fetcherImage !== '') return fetcherImage;
  return image.pullSecrets.length > 0 ? NO_FETCHER_IMAGE : imageOf(image, version);
}

const argumentsOf = (
  namespace: string,
  { watchNamespace, logLevel, allowedAnnotations }: Settings,
): readonly string[] => [
  'operator',
  '--leader-elect',
  `--port=${PORT}`,
  `--log-level=${logLevel}`,
  // By name where it is another's; its own, so that kustomize may move all of it.
  ...(watchNamespace === ''
    ? []
    : [`--namespace=${watchNamespace === namespace ? '$(POD_NAMESPACE)' : watchNamespace}`]),
  '--allowed-ingress-annotations',
  ...allowedAnnotations.ingress,
  '--allowed-service-account-annotations',
  ...allowedAnnotations.serviceAccount,
  '--allowed-pod-annotations',
  ...allowedAnnotations.pod,
];
