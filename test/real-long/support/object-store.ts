import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder } from '../../../cluster/binaries.ts';
import { build } from '../../../cluster/build.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import { runInNetworkOf } from '../../real/support/processes.ts';

const MODULES = join(import.meta.dirname, 'object-store');

/** The real node's address, which pods reach. */
const ADDRESS = '192.168.77.1';
const PORTS = { s3: 8333, master: 9333, volume: 8380, filer: 8888, metrics: 9327 } as const;

/** Who may do everything there. */
export const KEYS = { AWS_ACCESS_KEY_ID: 'trunnion', AWS_SECRET_ACCESS_KEY: 'a-secret-of-the-tests' } as const;

/** A real server of S3 on the real node. */
export interface ObjectStore {
  readonly endpoint: string;
  /** Puts files of a folder into a new bucket, those above 32 MiB in parts. */
  upload(bucket: string, folder: string): Promise<void>;
  /** Bytes of objects of a bucket that it has sent so far. */
  sent(bucket: string): Promise<number>;
  stop(): Promise<void>;
}

/** Builds SeaweedFS, once. */
async function program(): Promise<string> {
  const target = builtFolder('object-store', MODULES);
  await build({
    what: 'SeaweedFS',
    takes: 'about 5 minutes on two cores',
    otherwise: 'leave out the test of S3',
    modules: MODULES,
    target,
    tools: [{ name: 'weed', package: 'github.com/seaweedfs/seaweedfs/weed' }],
    variables: {},
    log: (line) => console.error(line),
  });
  return join(target, 'weed');
}

/** @param dir - the folder of a cluster that has a real node */
export async function startObjectStore(dir: string): Promise<ObjectStore> {
  const weed = await program();
  const node = kubeletOf(dir);
  const folder = join(dir, 'objects');
  mkdirSync(folder);
  const identity = { name: 'tests', credentials: [credentials], actions: ['Admin', 'Read', 'Write', 'List'] };
  writeFileSync(join(folder, 's3.json'), JSON.stringify({ identities: [identity] }));
  const server = spawn(
    'nsenter',
    [
      `--net=/proc/${node}/ns/net`,
      '--',
      weed,
      'server',
      `-dir=${folder}`,
      `-ip=${ADDRESS}`,
      '-s3',
      `-s3.config=${join(folder, 's3.json')}`,
      `-s3.port=${PORTS.s3}`,
      `-master.port=${PORTS.master}`,
      '-master.volumeSizeLimitMB=256',
      `-volume.port=${PORTS.volume}`,
      '-volume.max=8',
      `-filer.port=${PORTS.filer}`,
      `-metricsPort=${PORTS.metrics}`,
    ],
    { stdio: 'ignore' },
  );
  const endpoint = `http://${ADDRESS}:${PORTS.s3}`;
  const run = (program: string, ...args: readonly string[]): Promise<string> =>
    runInNetworkOf(node, [process.execPath, join(import.meta.dirname, program), ...args]);
  await eventually(() => run('get.ts', `${endpoint}/status`), { timeout: 60_000 });
  return {
    endpoint,
    upload: async (bucket, from) => void (await run('upload.ts', endpoint, bucket, from)),
    sent: async (bucket) => sentIn(await run('get.ts', `http://${ADDRESS}:${PORTS.metrics}/metrics`), bucket),
    stop: () => stop(server),
  };
}

const credentials = { accessKey: KEYS.AWS_ACCESS_KEY_ID, secretKey: KEYS.AWS_SECRET_ACCESS_KEY };

const sentIn = (metrics: string, bucket: string): number => {
  const line = metrics
    .split('\n')
    .find((each) => each.startsWith(`SeaweedFS_s3_bucket_traffic_sent_bytes_total{bucket="${bucket}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

/** A process in the network of a cluster's real node. */
function kubeletOf(dir: string): number {
  const wanted = `--root-dir=${join(dir, 'node/kubelet')}`;
  const found = readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && commandOf(entry).includes(wanted));
  if (found === undefined) throw new Error(`the cluster in ${dir} has no kubelet`);
  return Number(found);
}

/** Nothing of a process that has just ended. */
function commandOf(entry: string): readonly string[] {
  try {
    return readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
