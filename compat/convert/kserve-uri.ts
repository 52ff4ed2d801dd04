import type { Fields } from './fields.ts';
import { azureUri, uriOf, withRevision } from './uri.ts';

/** The model that is named by its URI, or by an argument to a server that downloads by itself. */
export function servedUri(
  model: Fields,
  given: { readonly id?: string; readonly revision?: string },
): string | undefined {
  const uri = uriOf(model, 'storageUri');
  if (given.id === undefined) return withRevision(uri, given.revision, model);
  if (uri === undefined && given.id !== undefined && /^[^/\s]+\/[^/\s]+$/.test(given.id)) {
    model.note('args', 'the model is fetched as model.uri says');
    return `hf://${given.id}${given.revision === undefined ? '' : `@${given.revision}`}`;
  }
  model.note('args', `model.uri says what is served, and not ${given.id}`);
  return withRevision(uri, given.revision, model);
}

/**
 * A container of one's own names its model by the variable STORAGE_URI, whose value KServe replaces by the folder
 * (storage_initializer_injector.go of v0.20.0), or has it in its image.
 *
 * @param isContainer - whether a container of one's own serves, and none is beside it
 */
export function uriOfContainer(fields: Fields, container: Fields, isContainer: boolean): string | undefined {
  const variable = container.items('env').find((each) => each.peek('name') === 'STORAGE_URI');
  const place = variable?.text('value');
  if (variable !== undefined && place !== undefined) {
    variable.take('name');
    variable.note('value', 'is model.uri, and the model lies at MODEL_PATH');
    return azureUri(place);
  }
  const image = container.peek('image');
  if (typeof image !== 'string' || container.peek('storageUri') !== undefined || !isContainer) return undefined;
  fields.report(
    'spec.model.uri',
    'is the image of the engine: the model is in it, or the program brings it; egress says from where',
  );
  return `oci://${image}`;
}
