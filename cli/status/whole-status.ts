/** A status as the API server has it; that of an earlier operator's kind has ours inside. */
export function wholeStatus<Fields extends object>(status: object | undefined): Partial<Fields> {
  const { workload, ...own }: Partial<Fields> & { readonly workload?: Partial<Fields> } = status ?? {};
  return { ...workload, ...own } as Partial<Fields>;
}
