import type { AccessMode } from '../../constructs/parts/weights/index.ts';
import type { ModelServingSpecInput } from '../../constructs/model-serving/spec.ts';

/** What the user of an earlier operator may say of the volume, which that operator chose by itself. */
interface Storage {
  readonly size?: string;
  readonly storageClassName?: string;
  readonly accessMode?: AccessMode;
}

/** What the user of an earlier operator says of a model that is downloaded. */
interface Model {
  readonly modelName?: string;
  readonly modelSource?: string;
  readonly credentials?: { readonly secretName: string };
}

/** The model: one without a source is refused by our own rules. */
export const modelOf = ({ modelName, modelSource, credentials }: Model): ModelServingSpecInput['model'] =>
  ({
    ...(modelSource !== undefined && { uri: modelSource }),
    ...(modelName !== undefined && { name: modelName }),
    ...(credentials && { credentials }),
  }) as ModelServingSpecInput['model'];

/** Where the fields of the model come from. */
export const MODEL_ORIGINS = {
  'spec.model.uri': 'spec.modelSource',
  'spec.model.name': 'spec.modelName',
  'spec.model.credentials': 'spec.credentials',
} as const;

/** The volume of weights that are fetched. */
export const storageOf = (
  uri: string | undefined,
  size: string,
  given: Storage | undefined,
): Pick<ModelServingSpecInput, 'storage'> =>
  uri !== undefined && /^(pvc|oci):/.test(uri) ? {} : { storage: { size, accessMode: 'ReadWriteMany', ...given } };

/** Images of theirs may be those of root. */
export const BASELINE = { security: { level: 'baseline' } } as const;

/** Their pods were not locked in, and what they reach nobody ever declared. */
export const OPEN_EGRESS = { egress: [{ cidr: '0.0.0.0/0' }, { cidr: '::/0' }] } as const;

/** Where a user asks that it be scaled, and doesn't say by what. */
export const CPU_PERCENT = 80;
/** The most replicas where nobody says. */
export const MOST_REPLICAS = 10;
