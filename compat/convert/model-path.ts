/** Where KServe puts a model in its container: DefaultModelLocalMountPath of pkg/constants/constants.go, v0.20.0. */
const THEIRS = /\/mnt\/models(?=[/\s"';:,)&|]|$)/g;

/** A text of arguments or variables in which the model lies where it lies here. Kubernetes puts the folder in. */
export function withModelPath(text: string, onChange: () => void): string {
  const changed = text.replaceAll(THEIRS, '$(MODEL_PATH)');
  if (changed !== text) onChange();
  return changed;
}
