import { networkInterfaces } from 'node:os';

/** The address at which pods reach this machine: any of its own but that of the loopback. */
export function addressOfMachine(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outside = all.find(({ internal, family }) => !internal && family === 'IPv4');
  if (outside === undefined) throw new Error('this machine has no address of IPv4 but that of the loopback');
  return outside.address;
}
