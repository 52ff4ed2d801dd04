import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Manifest } from '../../../constructs/workload.ts';
import { pythonWith } from '../../support/python-environment.ts';
import type { Subject } from '../scenarios.ts';
import { BOUND, bind, STANDARD } from '../volumes.ts';
import { walkthroughOfKopf } from './walkthrough.ts';

const KIND = { group: 'kopf.dev', version: 'v1', kind: 'EphemeralVolumeClaim', plural: 'ephemeralvolumeclaims' };

/**
 * Kopf's own example under the campaign: created, grown and deleted, as its walkthrough does. Its first labels fail
 * without any fault: see docs/operators-side-by-side.md.
 *
 * @throws where it can't be downloaded, and where Python or a package is missing
 */
export async function kopfWalkthrough(log: (line: string) => void): Promise<Subject> {
  const { crd, claim, program } = await walkthroughOfKopf();
  const bin = await pythonWith(new URL('requirements.txt', import.meta.url).pathname, log);
  const resource = parse(readFileSync(claim, 'utf8')) as Manifest;
  const { name } = resource.metadata;
  const patch = (body: object) => ({ kind: KIND, name, body });
  const holds = (test: (claim: Claim) => boolean) => ({
    kind: 'PersistentVolumeClaim',
    name,
    holds: (object: object) => test(object as Claim),
  });
  return {
    operator: {
      command: ({ namespace }) => [join(bin, 'kopf'), 'run', '--standalone', '--namespace', namespace, program],
      env: { PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
      mayEnd: true,
    },
    kinds: [KIND],
    // After an error it waits a minute: settings.execution.default_backoff of kopf 1.44.6.
    stepSeconds: 300,
    crds: [parse(readFileSync(crd, 'utf8')) as Manifest, STANDARD],
    scenario: [
      { name: 'create', apply: resource, until: holds(({ spec }) => spec.resources.requests.storage === '1G') },
      { name: 'bind', do: (context) => bind(context, name), until: BOUND(name) },
      {
        name: 'grow',
        patch: patch({ spec: { size: '2G' } }),
        until: holds(({ spec }) => spec.resources.requests.storage === '2G'),
      },
      { name: 'delete', delete: { kind: KIND, name } },
    ],
  };
}

interface Claim {
  readonly spec: { readonly resources: { readonly requests: { readonly storage: string } } };
}
