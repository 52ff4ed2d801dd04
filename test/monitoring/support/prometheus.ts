import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { stringify } from 'yaml';
import { freePort } from '../../../cluster/ports.ts';
import { type Program, start } from '../../../cluster/process.ts';
import type { RuleFile } from '../../../stacks/operator/monitoring/alerts/rules.ts';
import { eventually } from '../../cluster/support/eventually.ts';
import type { ScrapeJob } from './scrape.ts';

/** A series that answers a query, with its values in time, or the one of now. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly number[];
}

/** How a rule stands. */
export interface RuleState {
  readonly name: string;
  readonly state: 'inactive' | 'pending' | 'firing';
  readonly health: string;
  readonly lastError?: string;
}

interface RawSeries {
  readonly metric: Series['metric'];
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}

/** A real Prometheus, which scrapes and evaluates every two seconds. */
export class Prometheus implements AsyncDisposable {
  readonly #program: Program;
  readonly #url: string;
  readonly #dir: string;
  readonly #startedAt = Date.now() / 1_000;

  private constructor(program: Program, url: string, dir: string) {
    this.#program = program;
    this.#url = url;
    this.#dir = dir;
  }

  /** @returns once it answers */
  static async start(jobs: readonly ScrapeJob[], rules: RuleFile): Promise<Prometheus> {
    const dir = mkdtempSync(join(tmpdir(), 'trunnion-prometheus-'));
    const file = (name: string): string => join(dir, name);
    const config = {
      global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '2s' },
      rule_files: [file('rules.yaml')],
      scrape_configs: jobs,
    };
    writeFileSync(file('rules.yaml'), stringify(rules));
    writeFileSync(file('prometheus.yaml'), stringify(config));
    const port = await freePort();
    const args = [
      `--config.file=${file('prometheus.yaml')}`,
      `--storage.tsdb.path=${file('data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const program = start('prometheus', inject('prometheus').prometheus, args, file('prometheus.log'));
    const prometheus = new Prometheus(program, `http://127.0.0.1:${port}`, dir);
    await eventually(async () => {
      if (!(await fetch(`${prometheus.#url}/-/ready`)).ok) throw new Error(program.lastWords());
    });
    return prometheus;
  }

  /** What a query answers now. */
  async now(query: string): Promise<readonly Series[]> {
    return this.#ask('query', { query });
  }

  /** What it would have answered at any time since the start. */
  async sinceStart(query: string): Promise<readonly Series[]> {
    const [start, end] = [String(this.#startedAt), String(Date.now() / 1_000)];
    return this.#ask('query_range', { query, start, end, step: '2' });
  }

  async rules(): Promise<readonly RuleState[]> {
    const { groups } = (await this.#get('rules', {})) as { groups: readonly { rules: readonly RuleState[] }[] };
    return groups.flatMap(({ rules }) => rules);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program.stop(5_000);
    rmSync(this.#dir, { recursive: true, force: true });
  }

  async #ask(path: string, parameters: Readonly<Record<string, string>>): Promise<readonly Series[]> {
    const { result } = (await this.#get(path, parameters)) as { result: readonly RawSeries[] };
    return result.map(({ metric, value, values = value ? [value] : [] }) => ({
      metric,
      values: values.map(([, text]) => Number(text)),
    }));
  }

  async #get(path: string, parameters: Readonly<Record<string, string>>): Promise<unknown> {
    const response = await fetch(`${this.#url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`);
    const { status, data, error } = (await response.json()) as { status: string; data: unknown; error?: string };
    if (status !== 'success') throw new Error(`${parameters['query'] ?? path}: ${error}`);
    return data;
  }
}
