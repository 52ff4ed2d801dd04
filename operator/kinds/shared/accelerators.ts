/** What a pod asks for: `spec.resources` of every kind. */
export interface Accelerators {
  readonly gpu: number;
  readonly gpuResource: string;
  readonly gpuProduct?: string;
  /**
   * CPU and memory, where a field of the spec says how much.
   *
   * @default - they are told without an amount
   */
  readonly cpu?: string | number;
  readonly memory?: string | number;
}
