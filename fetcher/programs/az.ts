import { run } from '../main.ts';
import { Https } from '../sources/https.ts';
import { Azure } from '../sources/azure.ts';

await run({ hosts: { az: Azure, https: Https } });
