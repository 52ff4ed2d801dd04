import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';

/** How a container runs: the part of OCI's image configuration that is used here. */
export interface ImageConfig {
  readonly User?: string;
  readonly WorkingDir?: string;
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly Labels?: Readonly<Record<string, string>>;
}

/** All of an image but its files and its name. */
export interface ImageRecipe {
  readonly config: ImageConfig;
  /** The command that made it, which its history names. */
  readonly createdBy: string;
  /** Whether its layer is packed: smaller to pull, and it takes seconds of a processor to make. */
  readonly compressed: boolean;
}

/** How large an image is, in bytes. */
export interface ImageSize {
  /** Of what a node keeps. */
  readonly unpacked: number;
  /** Of what a node pulls. */
  readonly compressed: number;
}

/** Kubernetes' names of architectures, by Node's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The architecture of what is built here. */
export const architecture = (): string => ARCHITECTURES[process.arch] ?? process.arch;

/** The media type of a layer that is not packed. */
const TAR = 'application/vnd.oci.image.layer.v1.tar';

/** Nobody can tell when or by whom it was built, so what is built twice is the same. */
const SAME_EACH_TIME = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];

/**
 * Writes an image to a file: an OCI layout, which is a docker-archive too, so that `ctr images import`, `podman load`,
 * `docker load`, `skopeo copy` and `crane push` take it.
 *
 * @param root - the folder of its root file system, whose files all may read
 * @param name - of the image, with its tag
 * @param recipe - how a container runs, and what made it
 */
export async function writeImage(root: string, name: string, file: string, recipe: ImageRecipe): Promise<ImageSize> {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-layer-'));
  try {
    const layer = join(folder, 'layer.tar');
    await tar(root, layer, ['--mode=u=rwX,go=rX']);
    return await writeImageOfLayer(layer, name, file, recipe);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The same from an archive of its root file system, which keeps its owners and modes. It may be larger than memory.
 *
 * @param layer - a file, as tar writes it
 */
export async function writeImageOfLayer(
  layer: string,
  name: string,
  file: string,
  recipe: ImageRecipe,
): Promise<ImageSize> {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-image-'));
  try {
    const layout = new Layout(join(folder, 'layout'));
    const packed = recipe.compressed
      ? await layout.addFile(await packedTo(join(folder, 'layer.tar.gz'), layer), `${TAR}+gzip`)
      : await layout.addFile(layer, TAR);
    const diffId = recipe.compressed ? await digestOf(layer) : packed.digest;
    const config = layout.addJson(
      {
        architecture: architecture(),
        os: 'linux',
        created: new Date(0).toISOString(),
        config: recipe.config,
        rootfs: { type: 'layers', diff_ids: [diffId] },
        history: [{ created: new Date(0).toISOString(), created_by: recipe.createdBy }],
      },
      'application/vnd.oci.image.config.v1+json',
    );
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const manifest = layout.addJson({ schemaVersion: 2, mediaType, config, layers: [packed] }, mediaType);
    const annotations = {
      'io.containerd.image.name': name,
      'org.opencontainers.image.ref.name': name.split(':').at(-1),
    };
    layout.write('index.json', { schemaVersion: 2, manifests: [{ ...manifest, annotations }] });
    layout.write('oci-layout', { imageLayoutVersion: '1.0.0' });
    layout.write('manifest.json', [{ Config: blob(config), RepoTags: [name], Layers: [blob(packed)] }]);
    await tar(layout.folder, file, ['--dereference']);
    return { unpacked: statSync(layer).size, compressed: packed.size };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function packedTo(packed: string, layer: string): Promise<string> {
  await pipeline(createReadStream(layer), createGzip({ level: 9 }), createWriteStream(packed));
  return packed;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return `sha256:${hash.digest('hex')}`;
}

/** How a layout points to a blob. */
interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** A folder of blobs by their hash. */
class Layout {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  }

  /** A file that stays where it is: the folder has a link to it. */
  async addFile(file: string, mediaType: string): Promise<Descriptor> {
    const descriptor = { mediaType, digest: await digestOf(file), size: statSync(file).size };
    symlinkSync(resolve(file), join(this.folder, blob(descriptor)));
    return descriptor;
  }

  addJson(content: object, mediaType: string): Descriptor {
    const bytes = Buffer.from(JSON.stringify(content));
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const descriptor = { mediaType, digest, size: bytes.length };
    writeFileSync(join(this.folder, blob(descriptor)), bytes);
    return descriptor;
  }

  write(file: string, content: object): void {
    writeFileSync(join(this.folder, file), JSON.stringify(content));
  }
}

const blob = ({ digest }: Descriptor): string => `blobs/${digest.replace(':', '/')}`;

const tar = (folder: string, file: string, options: readonly string[]): Promise<unknown> =>
  promisify(execFile)('tar', [...SAME_EACH_TIME, ...options, '-C', folder, '-cf', file, '.']);
