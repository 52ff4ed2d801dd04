import { SpecError, withGot, type Problem } from './error.ts';
import type { KindSchema } from './kind.ts';

/** Where the API server has resources converted from one version to another. */
export interface ConversionWebhook {
  /**
   * The Service before the operator's pods.
   *
   * @default - none: `url` says where
   */
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    /** @default 443 */
    readonly port?: number;
  };
  /**
   * For an operator that is outside of the cluster: `https://127.0.0.1:9443/convert`.
   *
   * @default - none: `service` says where
   */
  readonly url?: string;
  /**
   * The certificates that the API server trusts there, as PEM.
   *
   * @default - none: the operator writes its own into the CRD
   */
  readonly caBundle?: string;
}

/** The path under which resources are converted. */
export const CONVERSION_PATH = '/convert';

/** Whether resources of a kind are converted from one version to another. */
export const isConverted = ({ versions }: Pick<KindSchema, 'versions'>): boolean =>
  versions.some(({ toStored }) => toStored !== undefined);

/** What the CRD of a kind says of conversion; undefined where only `apiVersion` differs. */
export function conversionOf(kind: KindSchema, webhook: ConversionWebhook | undefined): object | undefined {
  if (!isConverted(kind)) return undefined;
  const problems = webhookProblems(webhook);
  if (problems.length > 0) throw new SpecError(`The CRD of ${kind.kind}`, problems);
  const { service, url, caBundle } = webhook ?? {};
  const target =
    service === undefined
      ? { url }
      : {
          service: {
            namespace: service.namespace,
            name: service.name,
            path: CONVERSION_PATH,
            port: service.port ?? 443,
          },
        };
  return {
    strategy: 'Webhook',
    webhook: {
      conversionReviewVersions: ['v1'],
      clientConfig: { ...target, ...(caBundle !== undefined && { caBundle: toBase64(caBundle) }) },
    },
  };
}

function webhookProblems({ service, url, caBundle }: ConversionWebhook = {}): readonly Problem[] {
  if ((service === undefined) === (url === undefined)) {
    const message =
      'must have either service, the Service before the operator, or url: the versions of the kind have specs of their own';
    return [{ path: 'conversion', message }];
  }
  const problems: Problem[] = [];
  if (url !== undefined && !isWebhookUrl(url)) {
    const message = 'must be an https URL without user, query and fragment';
    problems.push(withGot({ path: 'conversion.url', message }, url));
  }
  if (caBundle !== undefined && !caBundle.includes('-----BEGIN CERTIFICATE-----')) {
    problems.push({ path: 'conversion.caBundle', message: 'must be certificates as PEM, and not their base64' });
  }
  return problems;
}

/** What `validateWebhookURL` of apiserver v0.36 takes. */
function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && url.protocol === 'https:' && url.host !== '' && !/[?#]/.test(text) && !url.username && !url.password
  );
}

/** PEM is ASCII. */
const toBase64 = (text: string): string => btoa(text);
