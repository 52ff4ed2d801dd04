/** Text that is no YAML as Kubernetes reads it. The message begins with the line where it is known. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
}
