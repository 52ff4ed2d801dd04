import { isConverted } from '../../constructs/schema/crd-conversion.ts';
import type { KindSchema } from '../../constructs/schema/kind.ts';
import type { Logger } from '../engine/telemetry/index.ts';
import { connect, KubeClient, type ConnectionSettings } from '../kube/index.ts';
import { type ConversionOptions, startConversions } from './conversion.ts';

/** How an operator converts resources; all of it has a default. */
export type ConversionSettings = Partial<
  Pick<ConversionOptions, 'namespace' | 'hosts' | 'certificateDirectory' | 'port' | 'host'>
>;

export interface OperatorConversions {
  /** Those that have no schema are left out, as are those of one version. */
  readonly kinds: readonly object[];
  /**
   * False converts nothing.
   *
   * @default - in a pod all that there is to convert; elsewhere nothing, since no Service leads there
   */
  readonly settings: ConversionSettings | false | undefined;
  readonly connection: ConnectionSettings;
  /** Of the operator. */
  readonly name: string;
  /** Of the operator. */
  readonly namespace: string;
  /** Labels of its Secret. */
  readonly labels: Readonly<Record<string, string>>;
  readonly log: Logger;
}

/**
 * Converts for an operator, until it is closed.
 *
 * @returns undefined where there is nothing to convert
 */
export function convertForOperator(options: OperatorConversions): { close(): Promise<void> } | undefined {
  const { settings, connection, name, namespace, labels, log } = options;
  const kinds = options.kinds.flatMap(schemaOf).filter(isConverted);
  if (kinds.length === 0 || settings === false) return undefined;
  if (settings === undefined && connection.from !== 'cluster') {
    const names = kinds.map(({ kind }) => kind).join(', ');
    log.warn(
      `${names} can't be read and written in other versions than the stored one: this operator runs outside of the cluster. To convert here, set the option conversion, and url in the CRD.`,
    );
    return undefined;
  }
  // Another one than the engine's, which a lease holds back.
  const client = new KubeClient({ connection: connect(connection), userAgent: name });
  const conversions = startConversions({ kinds, client, name, namespace, labels, log, ...settings });
  return {
    close: async () => {
      await conversions?.close();
      await client.close();
    },
  };
}

const schemaOf = (kind: object): readonly KindSchema[] =>
  'schema' in kind && typeof kind.schema === 'object' ? [kind.schema as KindSchema] : [];
