import { CholeskyDecomposition, Matrix } from 'ml-matrix';

/** What a Gaussian process needs of a positive definite matrix. */
export interface Inverse {
  readonly inverse: readonly (readonly number[])[];
  /** The natural logarithm of the matrix's determinant. */
  readonly logDeterminant: number;
}

/**
 * Inverts a symmetric matrix by its Cholesky decomposition.
 *
 * @returns undefined where it is not positive definite, as far as its rounding errors tell
 */
export function invert(matrix: readonly (readonly number[])[]): Inverse | undefined {
  if (!matrix.every((row) => row.every(Number.isFinite))) return undefined;
  const decomposition = new CholeskyDecomposition(new Matrix(matrix.map((row) => [...row])));
  if (!decomposition.isPositiveDefinite()) return undefined;
  const diagonal = decomposition.lowerTriangularMatrix.diagonal();
  return {
    inverse: decomposition.solve(Matrix.eye(matrix.length)).to2DArray(),
    logDeterminant: 2 * diagonal.reduce((sum, value) => sum + Math.log(value), 0),
  };
}
