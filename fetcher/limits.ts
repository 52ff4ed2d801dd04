/**
 * What the fetcher takes from a host. A host may be hostile: without these, an answer without an end takes the memory,
 * and a listing without an end the time. Each is far above what any model has.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Of the body of a refusal, in bytes; the rest is not read. An error of S3 or of the Hub has less than 1 KiB. */
export const ERROR_BYTES = 8 * KIB;

/** Of an answer that is read as a whole, in bytes: S3, the Hub and GCS list 1,000 files a page, in 1 MiB or less. */
export const ANSWER_BYTES = 8 * MIB;

/** Pages of one listing. */
export const PAGES = 10_000;

/** Files of one model. The Hub itself advises against more than 100,000 in a repository. */
export const FILES = 100_000;

/** All paths of one model together, in bytes. */
export const PATHS_BYTES = 16 * MIB;

/** One path in a model, in bytes: what a key of S3 and GCS may have. */
export const PATH_BYTES = 1024;

/** One name in a path, in bytes: what common file systems take. */
export const NAME_BYTES = 255;

/** Folders in each other. */
export const DEPTH = 32;

/** What a host says to find the next page by, in characters. It becomes part of a URL. */
export const CURSOR_LENGTH = 4 * KIB;

/** Redirects of one request: a download of the Hub has one or two. */
export const REDIRECTS = 10;

/** A message in the log, in characters. */
export const MESSAGE_LENGTH = 8 * KIB;

/** A file that says something of the volume (a marker, a heartbeat), in bytes. */
export const NOTE_BYTES = 64 * KIB;

/** Bytes within the stall timeout that a download must bring: what brings less has stalled, though it trickles. */
export const TRICKLE_BYTES = 16 * KIB;

/** Headers of an archive: each file has one, or two where its name is long. */
export const ARCHIVE_HEADERS = 2 * FILES;

/** What an archive says of one entry beside its header, in bytes: a long name, attributes. */
export const ARCHIVE_NOTE_BYTES = MIB;

/** How many times larger an archive may become; weights become 2 times larger at most, text 10 times. */
export const ARCHIVE_RATIO = 100;

/** Up to so many bytes the ratio of an archive does not count. */
export const ARCHIVE_FREE_BYTES = 1024 * MIB;

/** Links that one path may go through: as many as Linux follows. */
export const LINKS = 40;
