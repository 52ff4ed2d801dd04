import { onTestFinished, vi } from 'vitest';
import {
  type KubeObject,
  Reflector,
  type ReflectorEvent,
  type ReflectorOptions,
  type ReflectorTiming,
  Store,
} from '../../../../operator/kube/index.ts';
import { TYPES } from '../../../../operator/kube/client/resource-types.ts';
import { FakeApiServer, type Script } from './fake-api-server.ts';

/** Waits shortened a hundredfold. */
export const QUICK: Partial<ReflectorTiming> = { waitFactor: 0.01 };

/** A reflector that has begun, and what it told so far: of changes, and of itself. */
export async function reflect(
  script: Script,
  options: Partial<ReflectorOptions<KubeObject>> = {},
  running?: FakeApiServer,
) {
  const server = running ?? (await FakeApiServer.start(script));
  const log: string[] = [];
  const events: ReflectorEvent[] = [];
  const store = new Store<KubeObject>({ transform: (kept) => kept });
  const reflector = new Reflector({
    client: server.client(),
    type: TYPES.configMap,
    store,
    timing: QUICK,
    report: (event) => events.push(event),
    ...options,
  });
  onTestFinished(() => reflector.stop());
  reflector.onChange((change) => {
    const { metadata } = change.type === 'deleted' ? change.before : change.value;
    log.push(`${change.type} ${metadata.name}@${metadata.resourceVersion}`);
  });
  reflector.start();
  return { server, log, events, store, reflector };
}

/** Waits for what the reflector comes to in its own time. */
export const until = (check: () => void) => vi.waitFor(check, { timeout: 8_000, interval: 5 });
