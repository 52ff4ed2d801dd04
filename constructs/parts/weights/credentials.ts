import type { FetchedUri } from './uri.ts';

/** A variable that the fetcher reads, and the keys of the Secret that may hold it. */
export interface Credential {
  /** The variable, as the host's own tools name it. */
  readonly variable: string;
  /** The keys that are looked for; the first one that is there and not empty counts. */
  readonly keys: readonly [string, ...string[]];
  /** Whether its value must never be printed. */
  readonly secret: boolean;
  readonly meaning: string;
}

const secret = (variable: string, keys: Credential['keys'], meaning: string): Credential => ({
  variable,
  keys,
  secret: true,
  meaning,
});

const setting = (variable: string, meaning: string): Credential => ({
  variable,
  keys: [variable],
  secret: false,
  meaning,
});

/**
 * What is taken from the Secret `model.credentials.secretName`, by the scheme of the URI. Each key is optional, and no
 * other key of the Secret reaches the pod.
 */
export const CREDENTIALS: Readonly<Record<FetchedUri['scheme'], readonly Credential[]>> = {
  hf: [
    secret('HF_TOKEN', ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'token'], 'An access token of the Hugging Face Hub.'),
    setting('HF_ENDPOINT', 'URL of a mirror of the Hub. Default: https://huggingface.co.'),
  ],
  s3: [
    secret('AWS_ACCESS_KEY_ID', ['AWS_ACCESS_KEY_ID', 'accessKeyId'], 'The id of an access key.'),
    secret('AWS_SECRET_ACCESS_KEY', ['AWS_SECRET_ACCESS_KEY', 'secretAccessKey'], 'The access key.'),
    secret('AWS_SESSION_TOKEN', ['AWS_SESSION_TOKEN', 'sessionToken'], 'The session token of temporary keys.'),
    setting('AWS_REGION', "The bucket's region. Default: us-east-1; Amazon's own answer corrects it."),
    setting('AWS_ENDPOINT_URL', "URL of a server that speaks S3's protocol. Default: Amazon's."),
  ],
  gs: [
    secret(
      'GOOGLE_APPLICATION_CREDENTIALS_JSON',
      ['GOOGLE_APPLICATION_CREDENTIALS_JSON', 'key.json', 'credentials.json'],
      "The JSON file with a service account's key.",
    ),
  ],
  https: [
    secret('TOKEN', ['TOKEN', 'token'], 'Sent as `Authorization: Bearer`.'),
    secret('USERNAME', ['USERNAME', 'username'], 'With PASSWORD, sent as `Authorization: Basic`.'),
    secret('PASSWORD', ['PASSWORD', 'password'], 'See USERNAME.'),
  ],
};

/** A variable for each key that a credential may be under, the credential's own one first. */
export const variablesOf = ({ variable, keys }: Credential): readonly { variable: string; key: string }[] =>
  keys.map((key, index) => ({ key, variable: index === 0 ? variable : `TRUNNION_${variable}_${index}` }));
