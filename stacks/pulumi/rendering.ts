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
export interface WovenManifest {
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
export interface Woven {
  readonly children: readonly (Omit<RenderedChild, 'manifest'> & { readonly manifest: WovenManifest })[];
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
 * They are rendered with stand-ins, and once more for each text with another stand-in for it: where the results differ,
 * the value is rendered anew from the real text, in `apply`. So nothing has to know how a value is made of a text, and
 * a hash of it is as right as a copy. Unknown and secret is only what is made of what is unknown or secret.
 *
 * @param subject - what is rendered: `ModelServing llama`
 * @param args - the arguments
 * @param render - renders plain arguments; throws a SpecError where they can't work
 * @throws pulumi.InputPropertiesError with all problems at once
 */
export const woven = <Spec>(
  subject: string,
  args: EventualArgs,
  render: (args: FilledArgs<Spec>) => Rendering,
): Woven => new Draft(subject, args, render).woven();

/** The same arguments with a text in every place. */
export interface FilledArgs<Spec> {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: Spec;
}

/** Gives the text that stands in the place of an eventual one. */
type TextOf = (text: EventualText) => string;

/** Arguments that have been rendered with stand-ins. */
class Draft<Spec> {
  readonly #subject: string;
  readonly #render: (textOf: TextOf) => Rendering;
  readonly #texts: readonly EventualText[];
  readonly #standIn: TextOf;
  readonly #base: Rendering;
  readonly #variants: Variants<EventualText>;
  /** Renderings from real texts, by which of them are real: many values depend on the same. */
  readonly #real = new Map<string, pulumi.Output<Json>>();

  constructor(subject: string, { metadata, spec }: EventualArgs, render: (args: FilledArgs<Spec>) => Rendering) {
    const skeleton = { metadata: marked(metadata, 'metadata'), spec: marked(spec, 'spec') };
    this.#subject = subject;
    this.#render = (textOf) => render(filled(skeleton, textOf) as FilledArgs<Spec>);
    this.#texts = eventualTextsOf(skeleton);
    const standing = this.#standIns();
    this.#standIn = placeholderOf(standing, 'first');
    this.#base = this.#render(this.#standIn);
    this.#variants = new Map(this.#texts.map((text) => [text, this.#variant(text, standing)]));
  }

  woven(): Woven {
    const { children, warnings } = this.#base;
    const tree = merge(treeOf(this.#base), this.#variants, (texts, at) => this.#value(texts, at));
    const { manifests, outputs, referred } = tree as Pick<Woven, 'outputs' | 'referred'> & {
      readonly manifests: Readonly<Record<string, WovenManifest>>;
    };
    return {
      children: children.map((child) => ({ ...child, manifest: manifests[child.id] as WovenManifest })),
      outputs,
      referred,
      warnings: warnings.map((warning) => concealed(warning, this.#texts.map(this.#standIn))),
    };
  }

  #standIns(): Placeholders {
    return this.#reported(() =>
      placeholdersFor(this.#subject, this.#texts, (textOf) => problemsOf(() => this.#render(textOf))),
    );
  }

  /** The rendering with another stand-in for one text. */
  #variant(varied: EventualText, standing: Placeholders): Json {
    const another = placeholderOf(standing, 'second');
    return treeOf(this.#render((text) => (text === varied ? another(text) : this.#standIn(text))));
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

  /** The rendering from some real texts, with stand-ins for the others, on which nothing that it is for depends. */
  #fromReal(texts: readonly EventualText[], values: readonly unknown[]): Json {
    const odd = texts.filter((_, index) => typeof values[index] !== 'string');
    if (odd.length > 0) throw inputErrors(this.#subject, odd.map(notText));
    const real = new Map(texts.map((text, index) => [text, String(values[index])]));
    const tree = this.#reported(
      () => treeOf(this.#render((text) => real.get(text) ?? this.#standIn(text))),
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
