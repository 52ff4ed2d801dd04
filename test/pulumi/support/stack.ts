import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { inject } from 'vitest';
import { cluster } from '../../cluster/support/cluster.ts';
import { run } from '../../support/run.ts';
import { eventsOf, type Outcome } from './events.ts';
import type { Project } from './project.ts';

/** A resource as the state has it. */
export interface Recorded {
  readonly urn: string;
  readonly type: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** A stack of a project, whose state is in files of its own. */
export class StackUnderTest {
  readonly project: Project;
  readonly name: string;
  /** Of the backend, the CLI's home and the logs. */
  readonly #folder: string;
  #runs = 0;

  private constructor(project: Project, name: string, folder: string) {
    this.project = project;
    this.name = name;
    this.#folder = folder;
  }

  /**
   * Makes the stack `name`: that of the project's `Pulumi.NAME.yaml`, where it has one.
   *
   * @param beside - a stack whose backend it shares
   */
  static async of(project: Project, name: string, beside?: StackUnderTest): Promise<StackUnderTest> {
    const stack = new StackUnderTest(project, name, beside === undefined ? emptyBackend() : beside.#folder);
    await stack.pulumi('stack', 'init', name);
    return stack;
  }

  async up(): Promise<Outcome> {
    return this.#succeeding('up', '--yes', '--skip-preview');
  }

  async preview(): Promise<Outcome> {
    return this.#succeeding('preview');
  }

  async refresh(): Promise<Outcome> {
    return this.#succeeding('refresh', '--yes', '--skip-preview');
  }

  async destroy(): Promise<Outcome> {
    return this.#succeeding('destroy', '--yes', '--skip-preview');
  }

  /** An operation that has to fail. */
  async fails(operation: 'up' | 'preview'): Promise<Outcome> {
    const outcome = await this.#operate(operation, ...(operation === 'up' ? ['--yes', '--skip-preview'] : []));
    if (outcome.code === 0) throw new Error(`pulumi ${operation} did not fail:\n${outcome.text}`);
    return outcome;
  }

  /** Sets a value of the stack's configuration; paths such as `model.replicas` go into it. */
  async set(path: string, value: string, { secret = false } = {}): Promise<void> {
    await this.pulumi('config', 'set', '--path', secret ? '--secret' : '--plaintext', path, value);
  }

  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    return JSON.parse(await this.pulumi('stack', 'output', '--json')) as Readonly<Record<string, unknown>>;
  }

  /** The state as it lies in its file. */
  state(): string {
    const file = readFileSync(join(this.project.folder, 'Pulumi.yaml'), 'utf8');
    const project = /^name: (.+)$/m.exec(file)?.[1] ?? '';
    return readFileSync(join(this.#folder, 'state', '.pulumi', 'stacks', project, `${this.name}.json`), 'utf8');
  }

  resources(): readonly Recorded[] {
    const { checkpoint } = JSON.parse(this.state()) as {
      readonly checkpoint: { readonly latest: { readonly resources?: readonly Recorded[] } };
    };
    return checkpoint.latest.resources ?? [];
  }

  /** Removes all files. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    this.project.remove();
  }

  /**
   * Runs the CLI on this stack.
   *
   * @returns what it printed
   * @throws where it fails, with what it said
   */
  async pulumi(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.#run(args);
    if (code !== 0) throw new Error(`pulumi ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  /**
   * Runs a command of the CLI that takes no stack, in the folder of the project.
   *
   * @returns what it printed
   * @throws where it fails, with what it said
   */
  async command(...args: string[]): Promise<string> {
    const options = { env: this.#environment(), cwd: this.project.folder };
    const { code, stdout, stderr } = await run('pulumi', [...args, '--non-interactive'], options);
    if (code !== 0) throw new Error(`pulumi ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  async #succeeding(...args: string[]): Promise<Outcome> {
    const outcome = await this.#operate(...args);
    if (outcome.code !== 0) throw new Error(`pulumi ${args.join(' ')} ended with ${outcome.code}:\n${outcome.text}`);
    return outcome;
  }

  async #operate(...args: string[]): Promise<Outcome> {
    this.#runs += 1;
    const log = join(this.project.folder, `${this.#runs}.events`);
    const { code, stdout, stderr } = await this.#run([...args, '--event-log', log]);
    const events = existsSync(log) ? readFileSync(log, 'utf8') : '';
    return { code, text: `${stdout}${stderr}`, ...eventsOf(events) };
  }

  #run(args: readonly string[]) {
    const stack = args[0] === 'stack' && args[1] === 'init' ? [] : ['--stack', this.name];
    return run('pulumi', [...args, ...stack, '--non-interactive', '--cwd', this.project.folder], {
      env: this.#environment(),
    });
  }

  #environment(): NodeJS.ProcessEnv {
    const { engine, languages, providerPort, compiled } = inject('pulumi');
    const folders = [...engine.folders, ...languages.folders];
    return {
      // Node.js runs the program: the same as runs the tests.
      PATH: [...folders, dirname(process.execPath), process.env['PATH']].join(delimiter),
      HOME: this.#folder,
      NODE_COMPILE_CACHE: compiled,
      KUBECONFIG: cluster().kubeconfig,
      NO_COLOR: '1',
      PULUMI_HOME: join(this.#folder, 'home'),
      PULUMI_BACKEND_URL: `file://${join(this.#folder, 'state')}`,
      PULUMI_CONFIG_PASSPHRASE: 'of the tests',
      // For --event-log.
      PULUMI_DEBUG_COMMANDS: 'true',
      PULUMI_SKIP_UPDATE_CHECK: 'true',
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
      ...(providerPort !== undefined && { PULUMI_DEBUG_PROVIDERS: `kubernetes:${providerPort}` }),
    };
  }
}

/** A folder for a backend, and for a CLI that has the plugins that are installed. */
function emptyBackend(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trunnion-stack-'));
  mkdirSync(join(folder, 'home'));
  mkdirSync(join(folder, 'state'));
  const { plugins } = inject('pulumi').engine;
  if (plugins !== undefined) symlinkSync(plugins, join(folder, 'home', 'plugins'));
  return folder;
}
