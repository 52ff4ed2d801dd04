import { CliError } from '../errors.ts';

/** Where the operator was to serve its probes and metrics. */
interface Address {
  readonly port: number;
  /** @default - all addresses of this machine */
  readonly host?: string;
}

/** What to do where the operator can't listen; undefined where something else is wrong. */
export function listenError(error: unknown, { port, host }: Address): CliError | undefined {
  const { code, syscall }: { code?: unknown; syscall?: unknown } = Object(error);
  if (syscall !== 'listen') return undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new CliError(
        `--port ${port}: another program listens there. Name another port, or 0 for any that is free`,
      );
    case 'EACCES':
      return new CliError(`--port ${port}: you may not listen there. Name a port of 1024 or more, or 0 for any`);
    case 'EADDRNOTAVAIL':
      return new CliError(
        `--host ${host}: this machine has no such address. Name one that it has, or leave --host out`,
      );
    default:
      return undefined;
  }
}
