/**
 * A variable of the environment. One that is empty counts as unset: `NAME= program` is how shells and manifests take a
 * variable away.
 */
export const variable = (name: string): string | undefined => process.env[name] || undefined;
