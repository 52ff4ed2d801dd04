import { run } from '../main.ts';
import { Https } from '../sources/https.ts';
import { HuggingFace } from '../sources/hugging-face.ts';

await run({ hosts: { hf: HuggingFace, https: Https } });
