import type { FetchedUri } from './uri.ts';

/** A variable that the fetcher reads, and the keys of the Secret that may hold it. */
export interface Credential {
  /** The variable, as the host's own tools name it. */
  readonly variable: string;
  /** The keys that are looked for; the first one that is there and not empty counts. */
  readonly keys: readonly [string, ...string[]];
  /** Whether its value must never be printed. */
  readonly secret: boolean;
}

const secret = (variable: string, ...others: readonly string[]): Credential => ({
  variable,
  keys: [variable, ...others],
  secret: true,
});

const setting = (variable: string): Credential => ({ variable, keys: [variable], secret: false });

/**
 * What is taken from the Secret `model.credentials.secretName`, by the scheme of the URI. Each key is optional, and no
 * other key of the Secret reaches the pod.
 */
export const CREDENTIALS: Readonly<Record<FetchedUri['scheme'], readonly Credential[]>> = {
  hf: [
    // An access token of the Hugging Face Hub.
    secret('HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN', 'token'),
    // URL of a mirror of the Hub. Default: https://huggingface.co.
    setting('HF_ENDPOINT'),
  ],
  s3: [
    // An access key, and the session token of temporary ones.
    secret('AWS_ACCESS_KEY_ID', 'accessKeyId'),
    secret('AWS_SECRET_ACCESS_KEY', 'secretAccessKey'),
    secret('AWS_SESSION_TOKEN', 'sessionToken'),
    // The bucket's region. Default: us-east-1; Amazon's own answer corrects it.
    setting('AWS_REGION'),
    // URL of a server that speaks S3's protocol. Default: Amazon's.
    setting('AWS_ENDPOINT_URL'),
  ],
  // The JSON file with a service account's key.
  gs: [secret('GOOGLE_APPLICATION_CREDENTIALS_JSON', 'key.json', 'credentials.json')],
  az: [
    // A shared access signature that may read and list the container; it stands above the key.
    secret('AZURE_STORAGE_SAS_TOKEN', 'sasToken'),
    // A key of the storage account, which may do all there.
    secret('AZURE_STORAGE_KEY', 'AZURE_STORAGE_ACCESS_KEY', 'accountKey'),
    // URL of the account's Blob service: an emulator, or a cloud of one's own. Default: the host in the URI.
    setting('AZURE_STORAGE_ENDPOINT'),
  ],
  https: [
    // Sent as `Authorization: Bearer`.
    secret('TOKEN', 'token'),
    // Sent together as `Authorization: Basic`.
    secret('USERNAME', 'username'),
    secret('PASSWORD', 'password'),
  ],
};

/** A variable for each key that a credential may be under, the credential's own one first. */
export const variablesOf = ({ variable, keys }: Credential): readonly { variable: string; key: string }[] =>
  keys.map((key, index) => ({ key, variable: index === 0 ? variable : `TRUNNION_${variable}_${index}` }));
