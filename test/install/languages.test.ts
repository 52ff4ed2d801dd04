import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { type Ended, run } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunnion-languages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a user of cdk8s in another language does with the CRDs. TypeScript is in test/package. */
interface Language {
  readonly name: string;
  /** Without it, there is nobody here to try it for. */
  readonly toolchain: string;
  /** Makes use of what was imported into a project. */
  readonly use: (project: string) => Promise<Ended>;
}

const python: Language = {
  name: 'python',
  toolchain: 'python3',
  async use(project) {
    const own = (name: string) => join(project, 'venv/bin', name);
    const made = await run('python3', ['-m', 'venv', join(project, 'venv')]);
    if (made.code !== 0) return made;
    const installed = await run(own('pip'), ['install', '--quiet', 'cdk8s==2.70.106']);
    if (installed.code !== 0) return installed;
    const program = `
import json
from cdk8s import App, Chart, Testing
from dev.trunnion import (
    ModelServing, ModelServingSpec, ModelServingSpecEngine, ModelServingSpecEngineType, ModelServingSpecModel,
    ModelServingSpecResources,
)
chart = Chart(App(), "models")
ModelServing(chart, "qwen", spec=ModelServingSpec(
    model=ModelServingSpecModel(uri="pvc://weights/qwen"),
    engine=ModelServingSpecEngine(type=ModelServingSpecEngineType.VLLM),
    resources=ModelServingSpecResources(gpu=1),
))
[resource] = Testing.synth(chart)
assert resource["spec"]["engine"] == {"type": "vllm"}, resource
`;
    writeFileSync(join(project, 'main.py'), program);
    return run(own('python'), ['main.py'], { cwd: project });
  },
};

const java: Language = {
  name: 'java',
  toolchain: 'mvn',
  async use(project) {
    const dependency = (group: string, version: string) => {
      const [groupId, artifactId] = group.split(':');
      return `<dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version></dependency>`;
    };
    writeFileSync(
      join(project, 'pom.xml'),
      `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>consumer</groupId><artifactId>consumer</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    ${dependency('org.cdk8s:cdk8s', '2.70.0')}${dependency('software.constructs:constructs', '[10.0.0,11)')}
  </dependencies>
</project>
`,
    );
    return run('mvn', ['--quiet', '--batch-mode', 'compile'], { cwd: project });
  },
};

/** cdk8s' own modules for Go can't be had from every proxy, so that what was imported is read and not compiled. */
const go: Language = {
  name: 'go',
  toolchain: 'gofmt',
  use: (project) => run('gofmt', ['-l', '-e', ...goFiles(join(project, 'trunniondev'))]),
};

function goFiles(imported: string): readonly string[] {
  const files = readdirSync(imported).filter((file) => file.endsWith('.go'));
  expect(files).toEqual(expect.arrayContaining(['ModelServing.go', 'AgentService.go', 'DistributedTraining.go']));
  return files.map((file) => join(imported, file));
}

const isHere = ({ toolchain }: Language): boolean => spawnSync('which', [toolchain]).status === 0;

test.for([python, java, go].filter(isHere))(
  'cdk8s import makes resources of the CRDs in $name',
  { timeout: 600_000 },
  async ({ name, use }) => {
    const project = join(folder, name);
    mkdirSync(project);
    writeFileSync(join(project, 'go.mod'), 'module example.com/consumer\n\ngo 1.26\n');
    const crds = join(inject('install').dist, 'crds.yaml');
    const where = ['--language', name, '--output', project, '--no-save', '--check-upgrade=false'];
    const imported = await run(resolve('node_modules/.bin/cdk8s'), ['import', crds, ...where], { cwd: project });
    expect(imported).toMatchObject({ code: 0 });
    expect(await use(project)).toMatchObject({ code: 0 });
  },
);
