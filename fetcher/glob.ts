/**
 * Reads a pattern of `*` and `?`, and tells of paths whether it matches the whole of them, as Python's fnmatch has it, by which
 * the Hub's own client chooses files (huggingface_hub, utils/_paths.py, filter_repo_objects): `*` stands for any characters,
 * those of folders included, and a pattern that ends in a slash for all that is in the folder. Capitals count.
 *
 * A host chooses the paths, so each sign of one is looked at once. Bit N of `found` says whether what was read so far can be
 * the first N signs of the pattern, and 32 of them move on at a time: the longest patterns on the most names take seconds.
 */
export function matcher(pattern: string): (path: string) => boolean {
  const all = pattern.replace(/\/$/, '/*').split('');
  const signs = all.filter((sign) => sign !== '*');
  const words = (signs.length >> 5) + 1;
  const bitsOf = (positions: readonly number[]): Int32Array => {
    const bits = new Int32Array(words);
    for (const at of positions) bits[at >> 5] = (bits[at >> 5] ?? 0) | (1 << at);
    return bits;
  };
  // A `*` at place N of the pattern has N signs before it, less the `*` among these.
  const stars = all.flatMap((sign, at) => (sign === '*' ? [at] : []));
  const stays = bitsOf(stars.map((at, earlier) => at - earlier));
  const takenBy = (one: string): Int32Array =>
    bitsOf(signs.flatMap((sign, at) => (sign === one || sign === '?' ? [at] : [])));
  const others = takenBy('?');
  const takers: Int32Array[] = [];
  for (const sign of signs) takers[sign.charCodeAt(0)] = takenBy(sign);
  return (path) => {
    const found = bitsOf([0]);
    for (let from = 0; from < path.length; from += 1) {
      const takes = takers[path.charCodeAt(from)] ?? others;
      let carried = 0;
      for (let word = 0; word < words; word += 1) {
        const bits = found[word] ?? 0;
        const taken = bits & (takes[word] ?? 0);
        found[word] = (taken << 1) | carried | (bits & (stays[word] ?? 0));
        carried = taken >>> 31;
      }
    }
    return ((found[words - 1] ?? 0) & (1 << signs.length)) !== 0;
  };
}
