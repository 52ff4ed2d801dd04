import * as pulumi from '@pulumi/pulumi';
import type { Problem } from '../../constructs/index.ts';
import { plainText } from '../../constructs/parts/values/index.ts';
import { reasonOf } from '../../constructs/schema/error.ts';
import type { EventualText } from './inputs.ts';
import type { Steps } from './merge.ts';

/**
 * All problems of one workload, each with the path of its argument, in the words that all hosts use.
 *
 * @param secrets - texts that no message may show: with any of them, what was got is not told
 */
export const inputErrors = (
  subject: string,
  problems: readonly Problem[],
  secrets?: readonly string[],
): pulumi.InputPropertiesError =>
  new pulumi.InputPropertiesError({
    message: `${subject} is invalid`,
    errors: problems.map((problem) => ({
      // A resource has name and namespace in its metadata; here they are arguments.
      propertyPath: plainText(problem.path.replace(/^metadata\./, '')),
      reason: secrets === undefined ? reasonOf(problem) : plainText(concealed(problem.message, secrets)),
    })),
  });

/** A message without the texts that it should not, or can't, show. */
export const concealed = (message: string, texts: readonly string[]): string =>
  texts.filter((text) => text.length > 3).reduce((shown, text) => shown.replaceAll(text, '[output]'), message);

/** An Output of something else than text. */
export const notText = ({ path }: EventualText): Problem => ({
  path,
  message: 'must be text: the Output turned out to be something else',
});

/** Texts that decide about more than text somewhere. */
export const decidesMore = (texts: readonly EventualText[], [, child, ...place]: Steps): readonly Problem[] =>
  texts.map(({ path }) => ({
    path,
    message: `must be plain here, or at least what is structure in it, as in text\`http://\${host}:8080\`: an Output stands for text only, but this one decides ${
      place.length === 0 ? 'which objects there are' : `what is in ${place.join('.')} of ${String(child)}`
    }`,
  }));
