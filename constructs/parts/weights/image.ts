/** What runs the fetcher: a public image with Node.js and tar, pinned; Debian's, for both amd64 and arm64. */
export const FETCHER_IMAGE =
  'docker.io/library/node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6';

/** What fetches: an image, and whether the program is in it. */
export interface FetcherProgram {
  readonly image: string;
  /** Whether the program is in the image, as it is in that of the operator; else a ConfigMap brings it. */
  readonly isBuiltIn: boolean;
}

/** Where the operator's image has the program. */
export const BUILT_IN_FETCHER = '/trunnion/bin/fetch.mjs';

/**
 * The key of the cdk8s context that names an image with the fetcher in it: `app.node.setContext(FETCHER_IMAGE_CONTEXT, image)`.
 * Where it is set, no ConfigMap carries the program.
 */
export const FETCHER_IMAGE_CONTEXT = 'trunnion.dev/fetcherImage';

/** What a host says in place of an image to have a ConfigMap carry the program, as it is where nothing is said. */
export const NO_FETCHER_IMAGE = 'none';
