import { run } from '../main.ts';
import { Https } from '../sources/https.ts';
import { Azure } from '../sources/azure.ts';

await run({ az: Azure, https: Https });
