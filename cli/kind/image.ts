import { UsageError } from '../errors.ts';

/** A part of a path: distribution/reference v0.6.0, regexp.go. */
const PART = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;

/** A registry's host, with a port perhaps. */
const HOST = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?(?::\d{1,5})?$/i;

/**
 * The repository of an image that a chart is to install. Its tag is the chart's version, so none may be given.
 *
 * @throws UsageError where it is none
 */
export function repositoryOf(image: string): string {
  const parts = image.split('/');
  const last = parts.at(-1) ?? '';
  if (last.includes(':') || last.includes('@')) {
    throw new UsageError(
      `--image ${image}: leave out the tag. The chart's version is the tag, and image.tag or image.digest of its values is another`,
    );
  }
  const [first = '', ...rest] = parts;
  const isHost = rest.length > 0 && HOST.test(first);
  if (image.length > 253 || !(isHost ? rest : parts).every((part) => PART.test(part))) {
    throw new UsageError(`--image ${image}: must be a repository, as registry.example.com/acme/acme-operator`);
  }
  return image;
}
