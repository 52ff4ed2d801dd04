import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_ENTRY, ENTRY_TEXT, isEntry, NO_ENTRY } from '../../constructs/parts/annotations/index.ts';
import type { LogLevel } from '../../operator/index.ts';
import type { OperatorFlags } from '../operator/run.ts';
import { GROUPS, OPERATOR_NAMESPACE, port, withClusterOptions, withExamples } from '../options.ts';

const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** `trunnion operator`: the operator, in the foreground. */
export function operatorCommand(): Command {
  const command = new Command('operator')
    .helpGroup(GROUPS.develop)
    .summary('Run the operator in the foreground.')
    .description('Run the operator in the foreground, until SIGTERM or Ctrl-C. Its log is JSON lines on stderr.')
    .option('-n, --namespace <name>', 'work in this namespace alone (default: in all)')
    .option('--port <number>', 'port of /healthz, /readyz and /metrics; 0 takes any', port, 8080)
    .option('--host <address>', 'address to serve them on (default: all)')
    .option('--leader-elect', 'stand by while another operator holds the Lease', false)
    .addOption(new Option('--no-leader-elect').hideHelp())
    .addOption(
      new Option('--lease-namespace <name>', 'namespace of the Lease').env('POD_NAMESPACE').default(OPERATOR_NAMESPACE),
    )
    .addOption(allowed('ingress', 'Ingresses'))
    .addOption(allowed('service-account', 'ServiceAccounts'))
    .addOption(allowed('pod', 'pods'))
    .addOption(
      new Option(
        '--fetcher-image <image>',
        "an image with the fetcher of weights in it, as the operator's own has it (default: none, which is a public image, and a ConfigMap beside each model)",
      ).env('TRUNNION_FETCHER_IMAGE'),
    )
    .addOption(new Option('--log-level <level>', 'the least that is logged').choices(LOG_LEVELS).default('info'))
    .option(
      '--traces',
      'send traces of reconciles by OTLP; OTEL_EXPORTER_OTLP_ENDPOINT says where, and asks for it too',
    )
    .addOption(
      new Option('--simulated-pods', 'reach pods of the embedded cluster on the loopback').env(
        'TRUNNION_TEST_POD_LOOPBACK',
      ),
    )
    .action(async (flags: OperatorFlags) => (await import('../operator/run.ts')).operate(flags));
  return withExamples(
    withClusterOptions(command),
    'trunnion operator',
    'trunnion operator --namespace models --context staging',
    'trunnion operator --leader-elect --lease-namespace trunnion-system',
    `trunnion operator --allowed-pod-annotations ${DEFAULT_ENTRY} 'example.com/*'`,
  );
}

/** The option with the annotations that users may have put on the objects of a class. */
const allowed = (of: string, objects: string): Option =>
  new Option(
    `--allowed-${of}-annotations <key...>`,
    `annotations that users may have put on ${objects}: keys, or beginnings of keys with a *; ${DEFAULT_ENTRY} stands for the default ones, ${NO_ENTRY} for none`,
  )
    .default(undefined, DEFAULT_ENTRY)
    .argParser(annotationKey);

/** Adds an entry to a list. */
function annotationKey(text: string, before: readonly string[] = []): readonly string[] {
  if (!isEntry(text)) throw new InvalidArgumentError(`It ${ENTRY_TEXT}.`);
  return [...before, text];
}
