import { reach } from './reach.ts';

const USAGE = `usage: probe reach HOST:PORT…    prints one line of JSON: how far each is reached
       probe ask URL [BODY]     sends it, by POST where there is a body, and prints the answer`;

/** A request that is longer on its way has no server. */
const PATIENCE_MILLISECONDS = 60_000;

async function main([order, ...rest]: readonly string[]): Promise<void> {
  if (order === 'reach' && rest.length > 0) {
    console.log(JSON.stringify(await reach(rest)));
    return;
  }
  const [url, body] = rest;
  if (order !== 'ask' || url === undefined) throw new Error(USAGE);
  const headers = { 'Content-Type': 'application/json' };
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  const response = await fetch(url, body === undefined ? { signal } : { method: 'POST', headers, body, signal });
  const decoder = new TextDecoder();
  // As it comes: a long answer is read in the log while it lasts.
  for await (const piece of response.body ?? []) process.stdout.write(decoder.decode(piece, { stream: true }));
  if (!response.ok) throw new Error(`status ${response.status}`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const { message, cause } = error as Error;
  console.error(`${message} ${cause instanceof Error ? cause.message : ''}`);
  process.exitCode = 1;
}
