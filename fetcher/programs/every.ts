import { unpack } from '../archive.ts';
import { run } from '../main.ts';
import { Azure } from '../sources/azure.ts';
import { Gcs } from '../sources/gcs.ts';
import { Https } from '../sources/https.ts';
import { HuggingFace } from '../sources/hugging-face.ts';
import { S3 } from '../sources/s3.ts';

await run({ hosts: { hf: HuggingFace, s3: S3, gs: Gcs, az: Azure, https: Https }, unpack });
