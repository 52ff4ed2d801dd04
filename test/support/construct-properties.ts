import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Manifest, Workload } from '../../constructs/index.ts';
import type { PodTemplate } from '../../constructs/parts/objects/kube.ts';
import { canonicalQuantity } from '../../constructs/parts/values/quantity.ts';
import { restrictedViolations } from './pod-security-standard.ts';

/**
 * What holds for the construct of every kind, whatever its spec.
 *
 * @param specs - valid ones
 * @param make - puts the construct of a spec into a scope
 */
export function describeConstruct<Spec extends object>(
  specs: fc.Arbitrary<Spec>,
  make: (scope: Construct, spec: Spec) => Workload,
): void {
  const render = (spec: Spec) => make(new Chart(new App(), 'chart'), spec).render();
  const bytes = (spec: Spec): string => JSON.stringify(render(spec));

  describe('for every valid spec', () => {
    afterEach(() => {
      vi.unstubAllEnvs();
    });

    test('the pods keep to the restricted Pod Security Standard', () => {
      fc.assert(
        fc.property(specs, (spec) => {
          for (const { manifest } of render({ ...spec, security: { level: 'restricted' as const } })) {
            if (manifest.kind !== 'Deployment' && manifest.kind !== 'Job') continue;
            expect(restrictedViolations(templateOf(manifest).spec)).toEqual([]);
          }
        }),
      );
    });

    test('no pod gets the variables of Services: one named vllm sets VLLM_PORT, one named master MASTER_PORT', () => {
      fc.assert(
        fc.property(specs, (spec) => {
          const templates = render(spec).flatMap(({ manifest }) =>
            manifest.kind === 'Deployment' || manifest.kind === 'Job' ? [templateOf(manifest)] : [],
          );
          expect(templates.map(({ spec: { enableServiceLinks } }) => enableServiceLinks)).toEqual(
            templates.map(() => false),
          );
        }),
      );
    });

    test('the manifests depend neither on the order of keys nor on the time zone, and the spec stays as it is', () => {
      fc.assert(
        fc.property(specs, (spec) => {
          const first = bytes(spec);
          vi.stubEnv('TZ', 'Pacific/Kiritimati');
          expect(bytes(frozen(shuffled(spec)))).toBe(first);
        }),
      );
    });

    test('a construct may move within its app without a change', () => {
      fc.assert(
        fc.property(specs, (spec) => {
          const chart = new Chart(new App(), 'elsewhere', { disableResourceNameHashes: true });
          const moved = make(new Construct(new Construct(chart, 'team'), 'models'), spec);
          expect(JSON.stringify(moved.render())).toBe(bytes(spec));
        }),
      );
    });

    test('quantities are as the API server gives them back, ports have a protocol and nothing is null', () => {
      fc.assert(
        fc.property(specs, (spec) => {
          for (const { manifest } of render(spec)) {
            for (const [path, value] of leaves(manifest)) {
              const isQuantity = /\.(requests|limits)\./.test(path);
              expect([path, value]).toEqual([path, isQuantity ? canonicalQuantity(String(value)) : expect.anything()]);
            }
            for (const ports of portLists(manifest)) {
              for (const port of ports) expect(port).toHaveProperty('protocol');
            }
          }
        }),
      );
    });

    test('a child waits only for children before it', () => {
      fc.assert(
        fc.property(specs, (spec) => {
          const children = render(spec);
          children.forEach(({ after }, index) => {
            const before = children.slice(0, index).map(({ id }) => id);
            expect(before).toEqual(expect.arrayContaining([...after]));
          });
        }),
      );
    });
  });
}

const templateOf = (manifest: Manifest): PodTemplate =>
  (manifest['spec'] as { readonly template: PodTemplate }).template;

/** The same value with the keys of all objects in another order. */
function shuffled<T>(value: T): T {
  if (Array.isArray(value)) return value.map(shuffled) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, shuffled(item)]),
  ) as T;
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

/** All that a manifest holds, with the path of each value. */
function* leaves(value: unknown, path: string = ''): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) yield [path, value];
  else for (const [key, item] of Object.entries(value)) yield* leaves(item, `${path}.${key}`);
}

/** Every list named `ports` whose items are objects. */
function* portLists(value: unknown): Generator<readonly object[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (key === 'ports' && Array.isArray(item)) yield item as object[];
    yield* portLists(item);
  }
}
