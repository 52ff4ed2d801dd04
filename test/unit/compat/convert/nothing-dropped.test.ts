import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { convert } from '../../../../compat/convert/convert.ts';
import type { Equivalent } from '../../../../compat/convert/convert.ts';
import { valueAt, written } from '../../../../compat/convert/place.ts';
import type { Place } from '../../../../compat/convert/place.ts';
import { printEquivalents } from '../../../../cli/convert/print.ts';
import type { Manifest } from '../../../../constructs/index.ts';
import type { Json } from '../../../../constructs/schema/json.ts';
import { leavesIn, oddOne, put } from '../../../support/arbitrary-others.ts';
import { compat, forms } from '../../../support/others.ts';

const equivalentOf = (manifest: Manifest): Equivalent => {
  const equivalent = convert(manifest, [manifest, ...compat]);
  if (equivalent === undefined) throw new Error(`${manifest.kind} is not known`);
  return equivalent;
};

/** Whether a note tells of a place, or of all that it is a part of, with what was there. */
const isReported = ({ notes }: Equivalent, place: Place): boolean => {
  const paths = new Set(place.map((_, index) => written(place.slice(0, index + 1))));
  return notes.some(({ path, value }) => value !== undefined && paths.has(path));
};

/** The same resource with nothing instead of something, or something instead of nothing. */
function changedAt(manifest: Manifest, place: Place): Manifest {
  const isNull = valueAt(manifest as unknown as Json, place) === null;
  return JSON.parse(JSON.stringify(put(manifest, place, isNull ? 'something' : undefined))) as Manifest;
}

/** Fields that may say what would be so without them, and what they then say. */
const REDUNDANT: readonly (readonly [path: RegExp, value: RegExp])[] = [
  [/\.trustRemoteCode$/, /^false$/],
  [/\.autoscalingDisabled$/, /^(true|false)$/],
  [/^spec\.type$/, /^"Declarative"$/],
  [/\.(numNodes|minReplicas|maxReplicas|replicas|Master\.replicas|Worker\.replicas)$/, /^1$/],
  // KServe has 0 for a number that is left out.
  [/^spec\.predictor\.maxReplicas$/, /^0$/],
  [/(\.gpus|\[(nvidia|amd)\.com\/gpu\])$/, /^"?0"?$/],
  [/^spec$/, /^\{\}$/],
  // Defaults of earlier operators' kinds.
  [/^spec\.(port|temperature|maxTokens)$/, /^(8080|0\.7|4096)$/],
  // A container is the one that its kind has, and is named so.
  [/\.(containers\[\d\]|predictor\.(model|tensorflow|sklearn))\.name$/, /^".*"$/s],
  // Kubernetes takes an empty list of these as none at all, and so does kagent with the names of tools.
  [/\.(command|args|env|envFrom|volumes|volumeMounts|tolerations|imagePullSecrets|toolNames)$/, /^\[\]$/],
];

function isRedundant(manifest: Manifest, place: Place): boolean {
  const value = JSON.stringify(valueAt(manifest as unknown as Json, place));
  const path = written(place);
  return REDUNDANT.some(([field, known]) => field.test(path) && known.test(value)) || hasTwin(manifest, place);
}

/** Whether another field says the same: a limit and its request, the processes of a node, a tool that is named twice. */
function hasTwin(manifest: Manifest, place: Place): boolean {
  const own = valueAt(manifest as unknown as Json, place);
  const step = place.at(-1);
  const beside = (name: string, ...rest: Place) => [...place.slice(0, -2), name, ...rest];
  const twins: readonly Place[] = [
    ...(place.at(-2) === 'requests' ? [beside('limits', step!)] : []),
    ...(place.at(-2) === 'limits' ? [beside('requests', step!)] : []),
    ...(step === 'nProcPerNode' ? [['spec', 'nprocPerNode']] : []),
    ...(step === 'nprocPerNode' ? [['spec', 'elasticPolicy', 'nProcPerNode']] : []),
  ];
  return (
    twins.some((twin) => textOf(valueAt(manifest as unknown as Json, twin)) === textOf(own)) ||
    isNamedTwice(manifest, place)
  );
}

/** A number may be written as a text. */
const textOf = (value: Json | undefined): string | undefined => JSON.stringify(value)?.replaceAll('"', '');

function isNamedTwice(manifest: Manifest, place: Place): boolean {
  if (!place.includes('toolNames') && !place.includes('tools')) return false;
  const root = manifest as unknown as Json;
  return leavesIn(manifest).some(
    (other) => !isDeepStrictEqual(other, place) && valueAt(root, other) === valueAt(root, place),
  );
}

describe.each(Object.entries(forms))('of a %s, whatever is in it,', (_, of) => {
  test('each field is carried over, or is named', () => {
    fc.assert(
      fc.property(oddOne(of), (manifest) => {
        const equivalent = equivalentOf(manifest);
        const { manifest: carried, notes } = equivalent;
        for (const place of leavesIn({ metadata: manifest.metadata, spec: manifest['spec'] })) {
          if (isReported(equivalent, place)) continue;
          const other = equivalentOf(changedAt(manifest, place));
          const isCarried = !isDeepStrictEqual([carried, notes], [other.manifest, other.notes]);
          expect({ place, isSeen: isCarried || isRedundant(manifest, place) }).toEqual({ place, isSeen: true });
        }
      }),
      { numRuns: 60 },
    );
  });

  test('what is printed is one document that says the same in both versions of YAML', () => {
    fc.assert(
      fc.property(oddOne(of), (manifest) => {
        const equivalent = equivalentOf(manifest);
        const text = printEquivalents([equivalent]);
        const document: unknown = JSON.parse(JSON.stringify(equivalent.manifest));
        for (const version of ['1.1', '1.2'] as const) expect(parse(text, { version })).toEqual(document);
        const comments = text.slice(0, text.indexOf('\napiVersion:')).split('\n');
        expect(comments.filter((line) => !/^# [^\p{C}\p{Zl}\p{Zp}]*$/u.test(line))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
