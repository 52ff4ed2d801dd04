import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type ImageRecipe, OPERATOR } from './config.ts';

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

/** Nobody can tell when or by whom it was built, so what is built twice is the same. */
const SAME_EACH_TIME = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];

/**
 * Writes an image to a file: an OCI layout, which is a docker-archive too, so that `ctr images import`, `podman load`,
 * `docker load`, `skopeo copy` and `crane push` take it.
 *
 * @param root - the folder of its root file system, whose files all may read
 * @param name - of the image, with its tag
 * @param recipe - how a container runs, and what made it; default: the operator's
 */
export const writeImage = (root: string, name: string, file: string, recipe: ImageRecipe = OPERATOR): ImageSize =>
  writeImageOfLayer(tar(root, ['--mode=u=rwX,go=rX']), name, file, recipe);

/**
 * The same from an archive of its root file system, which keeps its owners and modes.
 *
 * @param layer - as tar writes it
 */
export function writeImageOfLayer(layer: Buffer, name: string, file: string, recipe: ImageRecipe): ImageSize {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-image-'));
  try {
    const layout = new Layout(folder);
    const packed = recipe.compressed
      ? layout.add(gzipSync(layer, { level: 9 }), 'application/vnd.oci.image.layer.v1.tar+gzip')
      : layout.add(layer, 'application/vnd.oci.image.layer.v1.tar');
    const config = layout.addJson(
      {
        architecture: architecture(),
        os: 'linux',
        created: new Date(0).toISOString(),
        config: recipe.config,
        rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
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
    writeFileSync(file, tar(folder));
    return { unpacked: layer.length, compressed: packed.size };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How a layout points to a blob. */
interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** A folder of blobs by their hash. */
class Layout {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(join(folder, 'blobs/sha256'), { recursive: true });
  }

  add(content: Buffer, mediaType: string): Descriptor {
    const descriptor = { mediaType, digest: `sha256:${sha256(content)}`, size: content.length };
    writeFileSync(join(this.#folder, blob(descriptor)), content);
    return descriptor;
  }

  addJson(content: object, mediaType: string): Descriptor {
    return this.add(Buffer.from(JSON.stringify(content)), mediaType);
  }

  write(file: string, content: object): void {
    writeFileSync(join(this.#folder, file), JSON.stringify(content));
  }
}

const blob = ({ digest }: Descriptor): string => `blobs/${digest.replace(':', '/')}`;

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

const tar = (folder: string, options: readonly string[] = []): Buffer =>
  execFileSync('tar', [...SAME_EACH_TIME, ...options, '-C', folder, '-c', '.'], { maxBuffer: 2 ** 30 });
