import { V8_FLAGS } from '../../cli/memory.ts';

/** How a container of the image runs. The Containerfile says the same, and a test compares. */
export const RUN = {
  User: '65532:65532',
  WorkingDir: '/',
  // glibc gives each thread an arena of its own, of which most lies idle; it reads this only as it starts.
  Env: ['PATH=/usr/bin', 'MALLOC_ARENA_MAX=1', 'NODE_ENV=production'],
  Entrypoint: ['/usr/bin/node', ...V8_FLAGS, '/trunnion/bin/operator.js'],
  Cmd: ['operator'],
} as const;

/** The name by which it is known once it is loaded. */
export const imageName = (version: string): string => `docker.io/library/trunnion-operator:${version}`;
