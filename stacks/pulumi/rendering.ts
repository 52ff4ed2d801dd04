import * as pulumi from '@pulumi/pulumi';
import { SpecError, type Problem, type RenderedChild } from '../../constructs/index.ts';
import type { Json } from '../../constructs/schema/json.ts';
import { concealed, decidesMore, inputErrors, notText } from './errors.ts';
import { eventualTextsOf, filled, marked, type EventualText } from './inputs.ts';
import { placeholderOf, placeholdersFor, type Placeholders } from './placeholders.ts';
import { strayed, valueAt, merge, type Steps, type Variants } from './merge.ts';

/** A construct as plain data. */
export interface Rendering {
  readonly children: readonly RenderedChild[];
  /** What others may want to know of it. */
  readonly outputs: Readonly<Record<string, string>>;
  /** What another workload that refers to it makes something of. */
  readonly referred: Json;
  readonly warnings: readonly string[];
}

/** A manifest whose type is known, and of which some text may come later. */
export interface MergedManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: pulumi.Input<string>;
    readonly annotations?: Readonly<Record<string, pulumi.Input<string>>>;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** A rendering in which what depends on eventual texts is an Output, and nothing else is. */
export interface Merged {
  readonly children: readonly (Omit<RenderedChild, 'manifest'> & { readonly manifest: MergedManifest })[];
  readonly outputs: Readonly<Record<string, pulumi.Input<string>>>;
  readonly referred: unknown;
  readonly warnings: readonly string[];
}

/** Arguments as a resource has them, in which Outputs, promises and templates may stand anywhere. */
export interface EventualArgs {
  readonly metadata: { readonly name: unknown; readonly namespace: unknown };
  readonly spec: unknown;
}

/**
 * Renders arguments in which some texts are not known yet.
 *
 * They are rendered with placeholders, and again for each text with another placeholder for it: where the results differ,
 * the value is rendered again from the real text, in `apply`. So nothing has to know how a value is made of a text, and
 * a hash of it is as right as a copy. Unknown and secret is only what is made of what is unknown or secret.
 *
 * @param subject - what is rendered: `ModelServing llama`
 * @param args - the arguments
 * @param render - renders plain arguments; throws a SpecError where they can't work
 * @throws pulumi.InputPropertiesError with all problems at once
 */
export const merged = <Spec>(
  subject: string,
  args: EventualArgs,
  render: (args: FilledArgs<Spec>) => Rendering,
): Merged => new Draft(subject, args, render).merged();

/** The same arguments with a text in every place. */
export interface FilledArgs<Spec> {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Spec;
}

/** Gives the text that stands instead of an eventual one. */
type TextOf = (text: EventualText) => string;

/** Arguments that have been rendered with placeholders. */
class Draft<Spec> {
  readonly #subject: string;
  readonly #render: (textOf: TextOf) => Rendering;
  readonly #texts: readonly EventualText[];
  readonly #placeholder: TextOf;
  readonly #base: Rendering;
  readonly #variants: Variants<EventualText>;
  /** Renderings from real texts, by which of them are real: many values depend on the same. */
  readonly #real = new Map<string, pulumi.Output<Json>>();

  constructor(subject: string, { metadata, spec }: EventualArgs, render: (args: FilledArgs<Spec>) => Rendering) {
    const skeleton = { metadata: marked(metadata, 'metadata'), spec: marked(spec, 'spec') };
    this.#subject = subject;
    this.#render = (textOf) => render(filled(skeleton, textOf) as FilledArgs<Spec>);
    this.#texts = eventualTextsOf(skeleton);
    const placeholders = this.#placeholders();
    this.#placeholder = placeholderOf(placeholders, 'first');
    this.#base = this.#render(this.#placeholder);
    this.#variants = new Map(this.#texts.map((text) => [text, this.#variant(text, placeholders)]));
  }

  merged(): Merged {
    const { children, warnings } = this.#base;
    const tree = merge(treeOf(this.#base), this.#variants, (texts, at) => this.#value(texts, at));
    const { manifests, outputs, referred } = tree as Pick<Merged, 'outputs' | 'referred'> & {
      readonly manifests: Readonly<Record<string, MergedManifest>>;
    };
    return {
      children: children.map((child) => ({ ...child, manifest: manifests[child.id] as MergedManifest })),
      outputs,
      referred,
      warnings: warnings.map((warning) => concealed(warning, this.#texts.map(this.#placeholder))),
    };
  }

  #placeholders(): Placeholders {
    return this.#reported(() =>
      placeholdersFor(this.#subject, this.#texts, (textOf) => problemsOf(() => this.#render(textOf))),
    );
  }

  /** The rendering with another placeholder for one text. */
  #variant(varied: EventualText, placeholders: Placeholders): Json {
    const another = placeholderOf(placeholders, 'second');
    return treeOf(this.#render((text) => (text === varied ? another(text) : this.#placeholder(text))));
  }

  /** What lies at a path once the texts that it is made of are known. */
  #value(texts: readonly EventualText[], at: Steps): pulumi.Output<Json> {
    if (isStructure(at)) throw inputErrors(this.#subject, decidesMore(texts, at));
    const key = texts.map((text) => this.#texts.indexOf(text)).join();
    const outputs = texts.map(({ output }) => output);
    const tree = this.#real.get(key) ?? pulumi.all(outputs).apply((values) => this.#fromReal(texts, values));
    this.#real.set(key, tree);
    return tree.apply((known) => valueAt(known, at));
  }

  /** The rendering from some real texts, with placeholders for the others, on which nothing that it is for depends. */
  #fromReal(texts: readonly EventualText[], values: readonly unknown[]): Json {
    const odd = texts.filter((_, index) => typeof values[index] !== 'string');
    if (odd.length > 0) throw inputErrors(this.#subject, odd.map(notText));
    const real = new Map(texts.map((text, index) => [text, String(values[index])]));
    const tree = this.#reported(
      () => treeOf(this.#render((text) => real.get(text) ?? this.#placeholder(text))),
      [...real.values()],
    );
    const variants = new Map([...this.#variants].filter(([text]) => real.has(text)));
    const place = strayed(treeOf(this.#base), variants, tree);
    if (place !== undefined) throw inputErrors(this.#subject, decidesMore(texts, place));
    return tree;
  }

  /** @param secrets - texts that no message may show */
  #reported<T>(make: () => T, secrets?: readonly string[]): T {
    try {
      return make();
    } catch (error) {
      throw error instanceof SpecError ? inputErrors(this.#subject, error.problems, secrets) : error;
    }
  }
}

const treeOf = ({ children, outputs, referred }: Rendering): Json => ({
  manifests: Object.fromEntries(children.map(({ id, manifest }) => [id, manifest as unknown as Json])),
  outputs,
  referred,
});

function problemsOf(render: () => unknown): readonly Problem[] {
  try {
    render();
    return [];
  } catch (error) {
    if (error instanceof SpecError) return error.problems;
    throw error;
  }
}

/** Whether it must be known at a path which resources there are, and of which type. */
const isStructure = ([part, id, field, ...more]: Steps): boolean =>
  part === 'manifests' &&
  (id === undefined ||
    field === undefined ||
    (more.length === 0 && /^(apiVersion|kind|metadata)$/.test(String(field))));
