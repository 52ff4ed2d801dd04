/** The name of the container that fetches, in the fetch Job and in the server's pod alike. */
export const FETCH = 'fetch';

/** Where the volume that holds the weights is mounted, in the fetcher and in the server. */
export const VOLUME_PATH = '/models';

/** The folder of the volume that becomes the model, in one rename, once all of it is there and verified. */
export const WEIGHTS_FOLDER = 'weights';

/** Written last, beside the folder: without it there is no model. */
export const MARKER_FILE = '.trunnion-complete.json';

/** The marker of a folder of the volume. */
export const markerFile = (folder: string): string =>
  folder === WEIGHTS_FOLDER ? MARKER_FILE : `.trunnion-complete-${folder}.json`;

/** What the marker says. */
export interface Marker {
  /** The URI as written in the spec. */
  readonly uri: string;
  /** Which files of it were fetched, as the fetcher was told; absent where it was told nothing. */
  readonly selection?: string;
  /** What the URI stood for: a commit, or a digest of the listing. */
  readonly revision: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * The exit codes that no repetition helps: a Job fails at once on them. Any other code but 0 may be tried again.
 * They lie in the range that sysexits.h uses.
 */
export const EXIT = {
  /** The URI, or another setting, can't be used. */
  usage: 64,
  /** The files do not match the checksums that their own host gives. */
  corrupt: 65,
  /** There is nothing at the URI. */
  notFound: 66,
  /** The host wants credentials, or others. */
  unauthorized: 67,
  /** The volume is too small. */
  noSpace: 68,
  /** The files can't be laid out safely: a name that leaves the folder, an archive of an unknown kind. */
  unsafe: 69,
} as const;

/** All of {@link EXIT}, ascending. */
export const PERMANENT_EXIT_CODES: readonly number[] = Object.values(EXIT);
