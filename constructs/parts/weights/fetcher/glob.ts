/**
 * Whether a pattern of `*` and `?` matches the whole of a path, as Python's fnmatch has it, by which the Hub's own client
 * chooses files (huggingface_hub, utils/_paths.py, filter_repo_objects): `*` stands for any characters, those of folders
 * included, and a pattern that ends in a slash for all that is in the folder. Capitals count.
 *
 * It goes back to the last `*` alone, so that its time is at most the product of both lengths, whatever they are.
 */
export function matches(pattern: string, path: string): boolean {
  const wanted = pattern.endsWith('/') ? `${pattern}*` : pattern;
  let [at, from] = [0, 0];
  let star = -1;
  let taken = 0;
  while (from < path.length) {
    const sign = wanted[at];
    if (sign === '*') {
      star = at;
      taken = from;
      at += 1;
    } else if (sign === '?' || (sign !== undefined && sign === path[from])) {
      at += 1;
      from += 1;
    } else if (star >= 0) {
      at = star + 1;
      taken += 1;
      from = taken;
    } else return false;
  }
  while (wanted[at] === '*') at += 1;
  return at === wanted.length;
}
