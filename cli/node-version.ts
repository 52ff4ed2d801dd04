/** The oldest Node.js that runs this: `engines` of package.json, with which a test compares it. */
const OLDEST = [22, 19] as const;

/** What to say of a Node.js that is too old; undefined of any other. */
export function tooOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `trunnion needs Node.js ${OLDEST.join('.')} or newer, and this is ${version}: install a newer one (https://nodejs.org), and put it first on your PATH`;
}
