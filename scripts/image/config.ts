import type { ImageRecipe } from '../../cluster/index.ts';
import { MALLOC_ENV, V8_FLAGS } from './memory.ts';

/** How a container of the image runs. The Containerfile says the same, and a test compares. */
export const RUN = {
  User: '65532:65532',
  WorkingDir: '/',
  Env: [
    'PATH=/usr/bin',
    ...Object.entries(MALLOC_ENV).map(([name, value]) => `${name}=${value}`),
    'NODE_ENV=production',
  ],
  Entrypoint: ['/usr/bin/node', ...V8_FLAGS, '/trunnion/bin/operator.js'],
  Cmd: ['operator'],
} as const;

/** That of the operator. */
export const OPERATOR: ImageRecipe = {
  config: { ...RUN, Labels: { 'org.opencontainers.image.title': 'trunnion-operator' } },
  createdBy: 'npm run image',
  compressed: true,
};

/** The name by which it is known once it is loaded. */
export const imageName = (version: string): string => `docker.io/library/trunnion-operator:${version}`;
