/**
 * What the kubelet makes of a container's command, args and variables: by third_party/forked/golang/expansion/expand.go of
 * Kubernetes, the same in all its releases. `$(NAME)` is a variable, and stays as it is where there is none of that name;
 * `$$` is a "$"; any other "$" is one too.
 */
export function expanded(text: string, variables: Readonly<Record<string, string>> = {}): string {
  return text.replaceAll(/\$(?:\$|\(([^)]*)\))/g, (place, name: string | undefined) =>
    name === undefined ? '$' : Object.hasOwn(variables, name) ? (variables[name] ?? place) : place,
  );
}
