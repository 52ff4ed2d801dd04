import type { Fields } from './fields.ts';

/** What every program of others may do, and a training may not unless it is said. */
export function reportConfinement(fields: Fields): void {
  fields.report(
    'spec.egress',
    'say what it may reach: here that is nothing but DNS and the other ranks, so that a download of data, models or packages fails',
  );
  reportLevel(fields);
}

/** The same of an engine whose image is the user's own. */
export function reportServing(fields: Fields): void {
  fields.report(
    'spec.egress',
    'say what it may reach: here that is nothing but DNS, so that an image that downloads or calls others fails',
  );
  reportLevel(fields);
}

/** As whom the program of an image of the user's own runs. */
export function reportLevel(fields: Fields): void {
  fields.report(
    'spec.security.level',
    'is restricted: the program runs as user 1000, who can write to its home, /tmp and volumes alone; baseline runs it as the image says, root too',
  );
}
