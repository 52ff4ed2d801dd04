import { placesOf } from '../../support/places.ts';
import { UNKNOWN } from '../provider/wire.ts';
import type { Step } from './events.ts';

/** Where in the inputs of resources something is not known: `llama-deployment.spec.template…`. */
export const unknownPlaces = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap(({ name, inputs }) => placesOf(inputs, (value) => value === UNKNOWN, [name]));
