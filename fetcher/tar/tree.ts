import { LINKS, PATHS_BYTES } from '../limits.ts';
import { plainPath, problemOf, quoted } from '../names.ts';
import { unsafe } from './entries.ts';
import type { EntryKind } from './entries.ts';

/** A place in the folder that an archive becomes. */
interface Node {
  kind: 'file' | 'folder' | 'link';
  readonly parent: Node | undefined;
  readonly children: Map<string, Node>;
  /** Where a link leads, as written. */
  readonly target: string;
  /** Where it leads in the end, once that is known, and through how many links. */
  end?: { readonly node: Node; readonly links: number };
}

/** What is done with an entry. */
export type Step =
  | { readonly do: 'folder'; readonly path: string }
  /** Its content follows; `replaces` where the archive has the file for the second time: the later one counts. */
  | { readonly do: 'file'; readonly path: string; readonly replaces: boolean }
  | { readonly do: 'hard link'; readonly path: string; readonly to: string; readonly replaces: boolean }
  /** Nothing yet: links are made when all else is there, so that nothing is written through one. */
  | { readonly do: 'later' };

/**
 * The folder that an archive becomes, as far as it was read, and the judge of what may come into it. It does no I/O: it
 * follows links as a kernel does, in what the archive itself holds, so no order of entries and no chain of links leads out.
 */
export class Tree {
  readonly #root: Node = { kind: 'folder', parent: undefined, children: new Map(), target: '' };
  readonly #links = new Map<string, Node>();
  #bytes = 0;
  #files = 0;

  /** How many files there are, links among them. */
  get files(): number {
    return this.#files + this.#links.size;
  }

  /**
   * Takes an entry.
   *
   * @returns what to do with it
   * @throws FetchError where it may not come in
   */
  add(entry: { readonly kind: EntryKind; readonly path: string; readonly link: string }): Step {
    const { kind, path, link } = entry;
    this.#bytes += Buffer.byteLength(path) + Buffer.byteLength(link);
    if (this.#bytes > PATHS_BYTES) throw unsafe(`its names have more than ${PATHS_BYTES} bytes together`);
    if (path === '') {
      if (kind === 'folder') return { do: 'folder', path };
      throw unsafe(`it has a ${kind} without a name`);
    }
    const problem = problemOf(path);
    if (problem !== undefined) throw unsafe(`${quoted(path)} ${problem}`);
    if (kind === 'folder') {
      this.#folder(path);
      return { do: 'folder', path };
    }
    if (kind === 'symbolic link') {
      if (link === '' || link.startsWith('/')) throw leadsOut(path, link);
      this.#links.set(path, this.#place(path, 'link', link).node);
      return { do: 'later' };
    }
    if (kind === 'file') return { do: 'file', path, replaces: this.#place(path, 'file', '').replaces };
    const to = plainPath(link);
    if (this.#fileAt(to) === undefined)
      throw unsafe(`${quoted(path)} is a link to ${quoted(link)}, which is no file before it`);
    if (to === path) throw unsafe(`${quoted(path)} is a link to itself`);
    return { do: 'hard link', path, to, replaces: this.#place(path, 'file', '').replaces };
  }

  /**
   * The links to make, when all entries are there.
   *
   * @throws FetchError where one leads out of the folder, to nothing or in a circle
   */
  links(): { readonly path: string; readonly target: string }[] {
    return [...this.#links].map(([path, node]) => {
      this.#follow(node, path, 0);
      return { path, target: node.target };
    });
  }

  /** The folder of a path, with all above it. */
  #folder(path: string): Node {
    let node = this.#root;
    for (const name of path.split('/')) {
      let next = node.children.get(name);
      if (!next) {
        next = { kind: 'folder', parent: node, children: new Map(), target: '' };
        node.children.set(name, next);
      }
      if (next.kind !== 'folder') throw unsafe(`${quoted(path)} leads through a ${next.kind}`);
      node = next;
    }
    return node;
  }

  /** Puts a file or a link at a path. */
  #place(path: string, kind: 'file' | 'link', target: string): { node: Node; replaces: boolean } {
    const slash = path.lastIndexOf('/');
    const parent = slash === -1 ? this.#root : this.#folder(path.slice(0, slash));
    const name = path.slice(slash + 1);
    const before = parent.children.get(name);
    if (before && !(before.kind === 'file' && kind === 'file')) {
      throw unsafe(`${quoted(path)} comes twice, as a ${before.kind} and as a ${kind}`);
    }
    const node: Node = { kind, parent, children: new Map(), target };
    parent.children.set(name, node);
    if (kind === 'file' && !before) this.#files += 1;
    return { node, replaces: before !== undefined };
  }

  #fileAt(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of path.split('/')) node = node?.children.get(name);
    return node?.kind === 'file' ? node : undefined;
  }

  /** Where a link leads in the end, and through how many links: each is followed once. */
  #follow(link: Node, path: string, depth: number): { node: Node; links: number } {
    if (link.end) return link.end;
    if (depth >= LINKS) throw unsafe(`the link ${quoted(path)} leads through more than ${LINKS} links, or in a circle`);
    let node = link.parent;
    let links = 1;
    for (const name of link.target.split('/')) {
      if (node?.kind !== 'folder') throw leadsNowhere(path, link.target);
      if (name === '' || name === '.') continue;
      node = name === '..' ? node.parent : node.children.get(name);
      if (!node) throw name === '..' ? leadsOut(path, link.target) : leadsNowhere(path, link.target);
      if (node.kind === 'link') {
        const end = this.#follow(node, path, depth + 1);
        node = end.node;
        links += end.links;
      }
    }
    if (!node) throw leadsNowhere(path, link.target);
    if (links > LINKS) throw unsafe(`the link ${quoted(path)} leads through more than ${LINKS} links`);
    link.end = { node, links };
    return link.end;
  }
}

const leadsOut = (path: string, target: string) =>
  unsafe(`the link ${quoted(path)} leads out of its folder, to ${quoted(target)}`);

const leadsNowhere = (path: string, target: string) =>
  unsafe(`the link ${quoted(path)} leads to ${quoted(target)}, which is not in it`);
