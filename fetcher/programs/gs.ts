import { run } from '../main.ts';
import { Https } from '../sources/https.ts';
import { Gcs } from '../sources/gcs.ts';

await run({ hosts: { gs: Gcs, https: Https } });
