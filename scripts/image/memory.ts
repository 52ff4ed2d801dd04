/**
 * V8 lets the young generation grow to 64 MiB, and the old one to several times what is alive in it, to save time in
 * collecting garbage. With these it takes about as much time, and 60 MiB less (at 100 resources): 4 MiB for what is young,
 * collected by one thread, since that little is not worth waking several; the old one collected when it has grown by a
 * quarter. And it compiles what is hot twice, first in haste (Maglev), which saves about a tenth of the time and takes 20 MiB
 * more in the burst of a start. Maglev instead of TurboFan saved about 7 %, and took 311 MiB (limit: 250) at the one start
 * that was tried with 10,000 resources.
 *
 * A function goes to TurboFan when it has been called often enough: 3,000 times its size is V8's default, by which a sixth of the
 * processor time of the first hundred resources went into compiling. 15,000 is what V8 itself waits for where it is to save
 * energy (`--efficiency-mode-delay-turbofan`): 7 and 17 % less (two runs) for a hundred, as much for five hundred, and 4 MiB less
 * of memory. With 30,000 and 60,000 five hundred took no less.
 *
 * V8 reads them as it starts, so the image's entry point has them. Those who start the operator in another way may give
 * them to Node, and else has an operator that works the same and takes more memory.
 */
export const V8_FLAGS = [
  '--no-parallel-scavenge',
  '--min-semi-space-size=4',
  '--max-semi-space-size=4',
  '--heap-growing-percent=25',
  '--no-maglev',
  '--invocation-count-for-turbofan=15000',
] as const;

/**
 * For glibc, which reads it as it starts. It gives each thread an arena of its own, of which 11 MiB lie idle; and what V8
 * compiles with, in pieces of 32 KiB, it keeps once it is free, unless such pieces are mapped by themselves.
 */
export const MALLOC_ENV = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '32768' } as const;
