import { describe, expect, test } from 'vitest';
import type { ModelServingSpecInput, RenderedChild } from '../../../constructs/index.ts';
import { modelServing } from '../../../constructs/model-serving/kind.ts';
import { SpecError } from '../../../constructs/schema/error.ts';
import type { StructuralSchema } from '../../../constructs/schema/structural.ts';
import { servers } from '../../support/prometheus-access.ts';
import { leavesOf, variantsOf } from '../../support/spec-variants.ts';
import { render } from '../model-serving/support/render.ts';
import { scaled, shared, single } from '../model-serving/support/specs.ts';

const schema = modelServing.schema().properties?.['spec'] ?? {};

const MARK = 'm4rk';

/** Texts that mean something to a shell, to Kubernetes, to a template engine, to a path or to a parser of arguments. */
const HOSTILE = [
  `${MARK}; touch /tmp/owned`,
  `${MARK}$(touch /tmp/owned)`,
  `${MARK}\`touch /tmp/owned\``,
  `${MARK}$(HOME)`,
  `${MARK}' || "true`,
  `${MARK}\n--trust-remote-code`,
  `${MARK}{{ .Values.secret }}`,
  `--trust-remote-code ${MARK}`,
  `../../${MARK}`,
  // What even the narrowest patterns take.
  MARK,
  `s3://${MARK}/a`,
  `http://${MARK}`,
  `${MARK}.com/a`,
  `/${MARK}`,
  `${MARK}.gguf`,
  `arn:aws:iam::111122223333:role/${MARK}`,
  `${MARK}.example.com`,
];

/** Specs that between them have every container, hook and script. */
const custom = {
  model: { uri: 'pvc://models' },
  engine: { type: 'custom', image: 'serve:1', command: ['/serve'] },
  resources: { gpu: 0 },
};
const accompanied = {
  ...single,
  model: { uri: 's3://models/a', draft: { uri: 's3://models/draft', method: 'model', tokens: 3 } },
};
const asking = Object.values(servers).map((prometheus) => ({
  ...scaled,
  autoscaling: { ...scaled.autoscaling, prometheus },
}));
const BASES = [single, shared, scaled, custom];

/** The specs that have all that a field needs beside it. */
function basesOf(leaf: string): readonly Parameters<typeof variantsOf>[0][] {
  if (leaf.startsWith('spec.topology.')) return [{ ...shared, nodes: 2 }];
  if (leaf.startsWith('spec.autoscaling.prometheus.')) return [scaled, ...asking];
  return leaf.startsWith('spec.model.') ? [...BASES, accompanied] : BASES;
}

/** The fields that are a command line, or part of one, of a program that the user chose. */
const COMMAND_LINES = /\.(args|command)\[\]$/;

/**
 * The fields that take more than the narrowest texts: what is said here reaches the user's own container as it is, or is
 * data to the fetch and to KEDA, and nothing else.
 */
const FREE_TEXT = [
  /^spec\.engine\.(command|args)\[\]$/,
  /\.env\[\]\.(value|valueFrom\.\w+\.(key|fieldPath))$/,
  /^spec\.(expose\.ingress|serviceAccount|podTemplate\.metadata)\.annotations\{\}$/,
  /^spec\.model\.files\.(include|exclude)\[\]$/,
  /^spec\.autoscaling\.prometheus\.(headers|queryParameters)\{\}$/,
  /^spec\.tolerations\[\]\.(key|value)$/,
  /^spec\.podTemplate\.spec\./,
];

/** Addresses, regions and GUIDs, which take no word of ours. */
const NOT_TEXT = /\.(?:cidr|ip|region|awsRegion|clientId|tenantId)$|\.nameservers\[\]$/;

function stringLeaves(): readonly string[] {
  const isText = (leaf: string): boolean => {
    const node = leaf
      .replace(/^spec/, '')
      .split(/(?=[.[{])/)
      .filter((step) => step !== '')
      .reduce<StructuralSchema | undefined>((at, step) => {
        if (step === '[]') return at?.items;
        return step === '{}' ? at?.additionalProperties : at?.properties?.[step.slice(1)];
      }, schema);
    return node?.type === 'string' && node.enum === undefined;
  };
  return leavesOf(schema).filter(isText);
}

/** What each base renders to with a text in a field; bases that it is not allowed in are left out. */
function accepted(leaf: string, text: string): readonly (readonly RenderedChild[])[] {
  return basesOf(leaf).flatMap((base) => {
    const [spec] = variantsOf(base, schema, leaf, { [leaf]: [text, text] });
    try {
      return [render(spec as unknown as ModelServingSpecInput)];
    } catch (error) {
      if (error instanceof SpecError) return [];
      throw error;
    }
  });
}

/** Every command line that is rendered: of containers, probes and hooks. */
function commandLines(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(commandLines);
  const { command = [], args = [], ...rest } = value as { command?: readonly string[]; args?: readonly string[] };
  const own = [...command, ...args];
  return [...(own.length > 0 ? [own] : []), ...commandLines(Object.values(rest))];
}

const SHELLS = /^(?:.*\/)?(?:sh|bash|dash|ash|zsh|busybox|env|xargs|eval)$/;

const isShell = (line: readonly string[]): boolean => line.some((word) => SHELLS.test(word));

/** Words that are code to the program that gets them. */
const codeOf = (line: readonly string[]): readonly string[] =>
  line.filter((_, index) => /^(?:-c|-e|--eval)$/.test(line[index - 1] ?? ''));

describe('a text of the spec', () => {
  const leaves = stringLeaves();

  test('is looked at in every field that has any', () => {
    expect(leaves.length).toBeGreaterThan(60);
  });

  test.each(leaves.filter((leaf) => !NOT_TEXT.test(leaf)))('%s is tried with something that it takes', (leaf) => {
    // The first will do: rendering all of them is the next test's.
    expect(HOSTILE.some((text) => accepted(leaf, text).length > 0)).toBe(true);
  });

  test.each(leaves)('%s reaches no shell and no code, and stays one argument', (leaf) => {
    for (const text of HOSTILE) {
      for (const children of accepted(leaf, text)) {
        const lines = commandLines(children.map(({ manifest }) => manifest));
        expect(lines.filter(isShell)).toEqual([]);
        expect(lines.flatMap(codeOf).filter((code) => code.includes(MARK))).toEqual([]);
        const words = lines.flat().filter((word) => word.includes(MARK));
        for (const word of words) {
          if (COMMAND_LINES.test(leaf)) expect(word).toBe(text);
          else
            expect([text, `/models/weights/${text}`, `--served-model-name=${text}`, `--model_name=${text}`]).toContain(
              word,
            );
        }
        if (!FREE_TEXT.some((free) => free.test(leaf))) expect(text).toMatch(/^[-A-Za-z0-9./:]+$/);
      }
    }
  });

  test('is no part of a script: the fetcher is the same for every spec', () => {
    const scripts = new Set(
      [single, shared, scaled].flatMap((base) =>
        render({ ...base, model: { ...base.model, uri: `s3://models/${MARK}` } })
          .filter(({ manifest }) => manifest.kind === 'ConfigMap')
          .map(({ manifest }) => JSON.stringify(manifest['data'])),
      ),
    );
    expect(scripts.size).toBe(1);
    expect([...scripts][0]).not.toContain(MARK);
  });
});
