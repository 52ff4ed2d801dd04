import { run } from '../main.ts';
import { Https } from '../sources/https.ts';
import { S3 } from '../sources/s3.ts';

await run({ hosts: { s3: S3, https: Https } });
