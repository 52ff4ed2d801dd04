import { UNKNOWN } from '../provider/wire.ts';
import type { Step } from './events.ts';

/** Where in the inputs of resources something is not known: `llama-deployment.spec.template…`. */
export const unknownPlaces = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap(({ name, inputs }) => placesOf(inputs, (value) => value === UNKNOWN, name));

/** Where in a value something stands, as dotted paths. */
function placesOf(value: unknown, is: (value: unknown) => boolean, at: string): readonly string[] {
  if (is(value)) return [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => placesOf(child, is, `${at}.${key}`));
}
