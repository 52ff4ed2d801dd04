import { unpack } from '../archive.ts';
import { run } from '../main.ts';
import { Https } from '../sources/https.ts';

await run({ hosts: { https: Https }, unpack });
