/** Where the weights come from, by scheme. */
export type ModelUri = FetchedUri | OciUri | ClaimUri;

/** Weights that a fetcher brings onto a volume. */
export type FetchedUri = HuggingFaceUri | S3Uri | GcsUri | AzureUri | HttpsUri;

/** `hf://owner/model[@revision]`, a repository of the Hugging Face Hub. */
export interface HuggingFaceUri {
  readonly scheme: 'hf';
  readonly owner: string;
  readonly model: string;
  /** A branch, a tag or a commit; `main` where the URI names none. */
  readonly revision: string;
}

/** `s3://bucket/prefix`: every object below the prefix, or the one object of that name. */
export interface S3Uri {
  readonly scheme: 's3';
  readonly bucket: string;
  /** Decoded, without a slash at its end; empty for the whole bucket. */
  readonly prefix: string;
}

/** `gs://bucket/prefix`, the same in Google Cloud Storage. */
export interface GcsUri {
  readonly scheme: 'gs';
  readonly bucket: string;
  readonly prefix: string;
}

/** `az://account.blob.core.windows.net/container/prefix`, the same in Azure Blob Storage. */
export interface AzureUri {
  readonly scheme: 'az';
  /** Of the account, whose name is its first label. */
  readonly host: string;
  readonly container: string;
  readonly prefix: string;
}

/** `https://host/file`: one file, or an archive (.tar, .tar.gz, .tgz) that is unpacked. */
export interface HttpsUri {
  readonly scheme: 'https';
  /** As written, without the fragment. */
  readonly url: string;
  /** Decoded. */
  readonly fileName: string;
  /** From `#sha256=…`: the file must have this checksum. */
  readonly sha256?: string;
}

/** `oci://registry/image[:tag][@digest]`: an image whose root is the model, mounted as a volume. */
export interface OciUri {
  readonly scheme: 'oci';
  readonly reference: string;
}

/** `pvc://claim[/path]`: a folder of a volume that is there already. */
export interface ClaimUri {
  readonly scheme: 'pvc';
  readonly claim: string;
  /** Decoded; empty for the whole volume. */
  readonly path: string;
}

// All patterns are for JavaScript and RE2 alike, so that every host and the API server give one answer: they have no
// lookahead, and take time that grows as the text does.

/** The characters that a URI may have: those of RFC 3986, less those that shells and Kubernetes' `$(NAME)` read. */
export const URI_CHARACTERS = String.raw`^[-A-Za-z0-9._~:/?#@!&*+,;=%\[\]]*$`;

/** A hexadecimal digit, and a byte of UTF-8 that is not the first one of a character. */
const X = '[0-9A-Fa-f]';
const NEXT = `%[89ABab]${X}`;

/**
 * A character that is written percent-encoded: whole and valid in UTF-8, and one that a name may have. There is no `.`, `/` or
 * backslash, which would lead elsewhere once it is read, no control character, and nothing that is not seen.
 *
 * @param first - the pattern of the last digit of those from 20 to 2D
 */
const encoded = (first: string): string =>
  [
    `%(?:2${first}|[346]${X}|5[0-9ABDEFabdef]|7[0-9A-Ea-e])`,
    `%(?:[Cc]2%[ABab]${X}|(?:[Cc][3-9A-Fa-f]|[Dd]${X})${NEXT})`,
    `%[Ee](?:0%[ABab]${X}|[13-9A-Ca-cEe]${NEXT}|[Dd]%[89]${X})${NEXT}`,
    // Without U+200B to U+200F, U+2028 to U+202E, U+2060 to U+2069, U+FEFF and U+FFFD.
    `%[Ee]2(?:%80%(?:8[0-9Aa]|[9Bb]${X}|[Aa][0-7Ff])|%81%(?:[89Bb]${X}|[Aa][A-Fa-f])|%(?:8[2-9A-Fa-f]|[9ABab]${X})${NEXT})`,
    `%[Ee][Ff](?:%(?:[89Aa]${X}|[Bb][0-9ACDEacde])${NEXT}|%[Bb][Bb]%(?:[89Aa]${X}|[Bb][0-9A-Ea-e])|%[Bb][Ff]%(?:[89Aa]${X}|[Bb][0-9A-CEFa-cef]))`,
    `%[Ff](?:0%[9ABab]${X}|[1-3]${NEXT}|4%8${X})${NEXT}${NEXT}`,
  ].join('|');

const ENCODED = encoded('[0-9A-Da-d]');

/**
 * What may be percent-encoded. Of an https URL it is the name of the file alone that is read here, and it ends in neither a
 * dot nor a space, which some file systems drop; the rest goes to the server as it is.
 */
export const URI_ENCODING = `^(?:(?:hf|huggingface|s3|gs|az|oci|pvc)://(?:[^%]|${ENCODED})*|https://[^?#]*/(?:(?:[^/?#%]|${ENCODED})*(?:[^/?#%.]|${encoded('[1-9A-Da-d]')}))?(?:[?#].*)?)$`;

/** A segment of a path that is neither empty nor `.` nor `..`. */
const SEGMENT = String.raw`(?:[^/\s?#.][^/\s?#]*|\.[^/\s?#.][^/\s?#]*|\.\.[^/\s?#]+)`;
const PATH = `(?:/${SEGMENT})*/?`;
const HUB_NAME = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_])?';

/** 1 to 65535. */
const PORT = '(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])';
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** A name whose last label begins with a digit may be taken for an address in one of its old spellings, unless a letter follows. */
const LAST_LABEL = '(?:[A-Za-z]|[1-9][0-9]{0,30}[A-Za-z])(?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const GROUP = '[0-9A-Fa-f]{1,4}';
/** An IPv6 address: eight groups, or fewer where `::` stands for those of zeros. No zone: it means something on one machine only. */
const IPV6 = [
  `(?:${GROUP}:){7}${GROUP}`,
  `(?:${GROUP}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((after) => `(?:${GROUP}:){1,${7 - after}}(?::${GROUP}){1,${after}}`),
  `:(?::${GROUP}){1,7}`,
  '::',
].join('|');
const HOST = String.raw`(?:(?:${LABEL}\.)*${LAST_LABEL}|(?:${BYTE}\.){3}${BYTE}|\[(?:${IPV6})\])`;
const AUTHORITY = `${HOST}(?::${PORT})?`;

/** Of a storage account: Azure's own domains alone, since the pod's identity is shown there. */
const AZURE_HOST = String.raw`[a-z0-9]{3,24}\.(?:blob\.core\.(?:windows\.net|usgovcloudapi\.net|chinacloudapi\.cn)|z[0-9]{1,2}\.blob\.storage\.azure\.net)`;

const IMAGE_NAME = '[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?';

/** The schemes, their patterns (for JavaScript and RE2 alike) and an example of each. */
export const MODEL_URI_FORMS = [
  {
    scheme: 'hf',
    form: 'hf://owner/model[@revision] (huggingface:// is the same)',
    pattern: `(?:hf|huggingface)://(${HUB_NAME})/(${HUB_NAME})(?:@([A-Za-z0-9][A-Za-z0-9._/-]{0,199}))?`,
  },
  { scheme: 's3', form: 's3://bucket/prefix', pattern: `s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(${PATH})` },
  { scheme: 'gs', form: 'gs://bucket/prefix', pattern: `gs://([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])(${PATH})` },
  {
    // The account by its whole host: other tools take the first word for the container.
    scheme: 'az',
    form: 'az://account.blob.core.windows.net/container/prefix',
    pattern: `az://(${AZURE_HOST})/([a-z0-9][a-z0-9-]{1,61}[a-z0-9])(${PATH})`,
  },
  {
    scheme: 'https',
    form: 'https://host/file[#sha256=CHECKSUM]',
    pattern: String.raw`(https://${AUTHORITY}(?:/[^\s?#]*)?/(${SEGMENT})(?:\?[^\s#]*)?)(?:#sha256=([0-9a-f]{64}))?`,
  },
  {
    scheme: 'oci',
    form: 'oci://registry/image[:tag][@sha256:DIGEST]',
    pattern: `oci://((?:[a-z0-9][A-Za-z0-9.-]*(?::${PORT})?/)?${IMAGE_NAME}(?:/${IMAGE_NAME})*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[0-9a-f]{64})?)`,
  },
  {
    scheme: 'pvc',
    form: 'pvc://claim[/path]',
    pattern: `pvc://([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)(${PATH})`,
  },
] as const;

/** Matches, among texts of {@link URI_CHARACTERS} and {@link URI_ENCODING}, exactly the URIs that {@link parseModelUri} accepts. */
export const MODEL_URI_PATTERN = `^(?:${MODEL_URI_FORMS.map(({ pattern }) => pattern).join('|')})$`;

/**
 * Parses a model's URI, and reads what is percent-encoded in it. Nobody else does: what is read once is not to be read twice.
 *
 * @throws Error that says what is allowed, where the text is none
 */
export function parseModelUri(text: string): ModelUri {
  // oxlint-disable-next-line trunnion/no-built-regexp -- rules of the schema, which bounded.test.ts has checked.
  const readable = [URI_CHARACTERS, URI_ENCODING].every((pattern) => new RegExp(pattern).test(text));
  for (const { scheme, pattern } of readable ? MODEL_URI_FORMS : []) {
    // oxlint-disable-next-line trunnion/no-built-regexp -- one of the table above, which bounded.test.ts has checked.
    const match = new RegExp(`^${pattern}$`).exec(text);
    if (match) return build[scheme](match[1] ?? '', match[2] ?? '', match[3]);
  }
  const forms = MODEL_URI_FORMS.map(({ form }) => form).join(', ');
  throw new Error(`${JSON.stringify(text)} is not a model's URI; allowed are ${forms}`);
}

/** Whether a fetcher must bring these weights onto a volume; the others are mounted from where they are. */
export const isFetched = (uri: ModelUri): uri is FetchedUri => uri.scheme !== 'oci' && uri.scheme !== 'pvc';

/** Whether a file of this name is unpacked where it is the whole model. */
export const isArchive = (fileName: string): boolean => /\.(?:tar|tar\.gz|tgz)$/i.test(fileName);

const pathOf = (text: string): string => decodeURIComponent(text.replaceAll(/^\/|\/$/g, ''));

const build: Readonly<
  Record<ModelUri['scheme'], (first: string, second: string, third: string | undefined) => ModelUri>
> = {
  hf: (owner, model, revision = 'main') => ({ scheme: 'hf', owner, model, revision }),
  s3: (bucket, path) => ({ scheme: 's3', bucket, prefix: pathOf(path) }),
  gs: (bucket, path) => ({ scheme: 'gs', bucket, prefix: pathOf(path) }),
  az: (host, container, path = '') => ({ scheme: 'az', host, container, prefix: pathOf(path) }),
  https: (url, fileName, sha256) => ({ scheme: 'https', url, fileName: pathOf(fileName), ...(sha256 && { sha256 }) }),
  oci: (reference) => ({ scheme: 'oci', reference }),
  pvc: (claim, path) => ({ scheme: 'pvc', claim, path: pathOf(path) }),
};
