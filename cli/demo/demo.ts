import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../../cluster/process.ts';
import { connect, KubeClient, type ObjectRef, type ResourceType } from '../../operator/kube/index.ts';
import { modelServing } from '../../operator/kinds/model-serving/index.ts';
import { CliError, quoted } from '../errors.ts';
import { installation } from '../install.ts';
import type { Io } from '../io.ts';
import { crds } from '../../stacks/operator/crds.ts';
import { unprotect } from '../install/unprotect.ts';
import { apply, established } from '../kube/apply.ts';
import { servedType } from '../kube/types.ts';
import { Cleanup } from './cleanup.ts';
import { examples } from './examples.ts';
import { showAnswer } from './question.ts';
import { showScenarios } from './scenarios.ts';
import { startOperator } from './operator.ts';
import { choosePlace, type Place, type PlaceOptions } from './place.ts';

/** All that the demo makes, but for the CRDs, is in this namespace. */
const DEMO_NAMESPACE = 'trunnion-demo';

/** The path of a server that speaks OpenAI's HTTP. */
const OPENAI_PATH = '/v1';

/** How long the demo waits for something that it deleted to be gone. */
const GONE_MILLISECONDS = 120_000;
const POLL_MILLISECONDS = 200;

const HOW_TO_GO_ON = `
To continue, on a cluster that stays:
  export KUBECONFIG=$(npm run -s trunnion -- cluster up)
  npm run -s trunnion -- install --no-operator
  npm run -s trunnion -- operator --simulated-pods &
  kubectl apply -f examples
  kubectl get trunnion
  npm run -s trunnion -- cluster down`;

/** Shows a resource of each kind from nothing to where it is meant to come, and removes what that took. */
export async function demo(io: Io, options: PlaceOptions, signal: AbortSignal): Promise<void> {
  const cleanup = new Cleanup();
  try {
    const place = await choosePlace(options, io, cleanup);
    signal.throwIfAborted();
    const client = new KubeClient({ connection: connect(place.settings), userAgent: 'trunnion-demo' });
    cleanup.add('close the connection', () => client.close());
    const stage = { io, client, place, cleanup, filename: options.filename };
    await prepare(stage);
    await runDemo(stage, signal);
    io.log(HOW_TO_GO_ON);
  } finally {
    await cleanup.run((line) => io.log(line));
  }
}

interface Stage {
  readonly io: Io;
  readonly client: KubeClient;
  readonly place: Place;
  readonly cleanup: Cleanup;
  /** Of the user's own resources. */
  readonly filename: string | undefined;
}

/** Installs the CRDs, the operator's account and its rights. */
async function prepare({ io, client, place, cleanup }: Stage): Promise<void> {
  io.log(`Installing the CRDs, and the operator's rights in the namespace ${DEMO_NAMESPACE}.`);
  const where = { namespace: DEMO_NAMESPACE, watchNamespace: DEMO_NAMESPACE };
  for (const manifest of installation({ ...where, operator: false })) {
    const { kind, metadata } = manifest;
    const type = await servedType(client, manifest);
    if (!type.namespaced && (await client.find(type, metadata)) !== undefined) {
      // A CRD that is there already serves as well, and is not ours to remove.
      if (kind === 'CustomResourceDefinition') continue;
      throw new CliError(`${kind} ${metadata.name} exists already: delete it, or wait until another demo has ended`);
    }
    await apply(client, manifest, DEMO_NAMESPACE);
    if (!type.namespaced && !place.embedded) {
      const meanwhile = kind === 'Namespace' ? () => unprotect(client, DEMO_NAMESPACE) : undefined;
      cleanup.add(`delete ${kind} ${metadata.name}`, () => remove(client, type, metadata, meanwhile));
    }
  }
  await established(client, crds());
}

/** The lives of the examples. */
async function runDemo({ io, client, place, cleanup, filename }: Stage, signal: AbortSignal): Promise<void> {
  io.log('Starting the operator with these rights, in a process of its own.');
  const operator = await startOperator(client, place, DEMO_NAMESPACE, cleanup);
  const resources = await examples(io, { simulated: place.simulated, namespace: DEMO_NAMESPACE, filename });
  for (const { kind, manifest } of place.embedded ? [] : resources) {
    const ref = { namespace: DEMO_NAMESPACE, name: manifest.metadata.name };
    cleanup.add(`delete ${kind.type.kind} ${ref.name}`, () => remove(client, kind.type, ref));
  }
  const ends = AbortSignal.any([signal, endOf(operator)]);
  const stage = { io, client, namespace: DEMO_NAMESPACE, signal: ends };
  const urls = await showScenarios({ ...stage, simulated: place.simulated }, resources);
  for (const [index, { kind, manifest }] of place.simulated ? [] : resources.entries()) {
    if (kind.type.kind !== modelServing.type.kind || urls[index]?.endsWith(OPENAI_PATH) !== true) continue;
    await showAnswer({ ...stage, connection: connect(place.settings) }, manifest.metadata.name);
  }
}

/** Aborted when the operator ends, with its last words. */
function endOf(operator: Program): AbortSignal {
  const controller = new AbortController();
  void operator.ended.then((how) =>
    controller.abort(new CliError(`the operator ended (${how}):\n  ${quoted(operator.lastWords())}`)),
  );
  return controller.signal;
}

/**
 * Deletes an object and waits until it is gone.
 *
 * @param meanwhile - called again and again: a namespace waits for policies that outlive its pods, which the operator lets
 *   go, and that is stopped by then
 */
async function remove(
  client: KubeClient,
  type: ResourceType,
  { namespace, name }: ObjectRef,
  meanwhile?: () => Promise<unknown>,
): Promise<void> {
  const ref = { name, ...(namespace === undefined ? {} : { namespace }) };
  if ((await client.delete(type, ref)) === undefined) return;
  const deadline = performance.now() + GONE_MILLISECONDS;
  while ((await client.find(type, ref)) !== undefined) {
    if (performance.now() > deadline) throw new CliError(`it is still there after ${GONE_MILLISECONDS / 1000} s`);
    await meanwhile?.();
    await sleep(POLL_MILLISECONDS);
  }
}
