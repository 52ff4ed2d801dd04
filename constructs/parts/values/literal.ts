/**
 * A text as a container's command, args or variables must have it so that its program gets this very text: there, the
 * kubelet takes `$(NAME)` for a variable, and `$$` for a `$`. It is for values of a spec that are data; a command, args and
 * env that a user writes are Kubernetes' own fields, in which `$(NAME)` is theirs to use.
 */
export const literal = (text: string): string => text.replaceAll('$', '$$$$');
