/** What runs the fetcher: a public image with Node.js and tar, pinned; Debian's, for both amd64 and arm64. */
export const FETCHER_IMAGE =
  'docker.io/library/node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6';
