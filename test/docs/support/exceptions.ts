import { ELSEWHERE } from './elsewhere.ts';
import { INSTALLING, RELEASING } from './installing.ts';
import { LANGUAGES } from './languages.ts';
import { OPERATORS } from './operators.ts';

/** A command, as a page shows it, that is not run as the page is walked through, and why. */
export type Exception = { readonly page: string; readonly command: string } & (
  | /** A file that runs it, or what it does, and words in it that tell. */
    { readonly testedBy: string; readonly words: string }
  | /** Why nothing here can run it. */ { readonly cannotRun: string }
);

const CAMPAIGN = 'It takes an hour; test/unit/faults has tests of what it is made of.';

const FUZZING = 'It takes as long as it is given; test/unit/fuzz goes through what it has found.';

const MEASURING =
  'It measures, for minutes, and nothing may run beside it; test/unit/bench has tests of how it judges.';

/** What asks a model, and what builds an image. */
const CLIENTS: readonly Exception[] = [
  {
    page: 'docs/recipes/openai-clients.md',
    command: 'kubectl port-forward -n models service/qwen 8000',
    cannotRun: 'A simulated pod has no process that a port could lead to; test/real/demo.test.ts asks a real one.',
  },
  {
    page: 'docs/recipes/openai-clients.md',
    command: `curl -s http://127.0.0.1:8000/v1/chat/completions -H 'Content-Type: application/json' -d '{"model": "qwen", "messages": [{"role": "user", "content": "Hello"}]}'`,
    testedBy: 'test/unit/docs/clients.test.ts',
    words: "commandsWith('curl')",
  },
  ...[
    'podman build -t registry.example.com/team/train:1 .',
    'podman push registry.example.com/team/train:1',
    'crane append --base docker.io/pytorch/pytorch:2.9.0-cuda13.0-cudnn9-runtime --new_layer layer.tar --new_tag registry.example.com/team/train:1',
  ].map((command) => ({
    page: 'docs/recipes/your-code.md',
    command,
    cannotRun: 'There is no registry to pull from and to push to.',
  })),
];

/** All there are. A test fails where one is about nothing. */
export const EXCEPTIONS: readonly Exception[] = [
  ...INSTALLING,
  ...RELEASING,
  ...CLIENTS,
  ...ELSEWHERE,
  ...OPERATORS,
  ...['README.md', 'docs/quickstart.md'].map((page) => ({
    page,
    command: 'npm ci && npm run demo',
    testedBy: 'test/cluster/cli/demo.test.ts',
    words: "'cli/main.ts', 'demo'",
  })),
  {
    page: 'docs/quickstart.md',
    command: 'npm run demo -- --real',
    testedBy: 'test/real/demo.test.ts',
    words: "'demo',",
  },
  {
    page: 'docs/quickstart.md',
    command: 'npm run demo -- --context staging',
    testedBy: 'test/cluster/cli/demo.test.ts',
    words: "startDemo(['--yes'], { KUBECONFIG",
  },
  {
    page: 'docs/real-node.md',
    command:
      'sudo apt-get install containerd runc containernetworking-plugins iptables ipset socat mmdebstrap slirp4netns',
    testedBy: '.ci/run',
    words: 'containerd runc containernetworking-plugins iptables ipset socat mmdebstrap slirp4netns',
  },
  {
    page: 'docs/real-node.md',
    command: 'sudo npm run test:real',
    testedBy: 'test/parts.ts',
    words: "[['real']]",
  },
  { page: 'README.md', command: 'npm ci && npm test', testedBy: '.ci/run', words: 'npm run -s test' },
  { page: 'CONTRIBUTING.md', command: 'bash .ci/run', cannotRun: 'It is what runs the tests.' },
  {
    page: 'docs/quickstart.md',
    command: 'export KUBECONFIG=$(npm run -s trunnion -- cluster up)',
    testedBy: 'test/cluster/cli/cluster.test.ts',
    words: "'cluster', 'up'",
  },
  {
    page: 'docs/quickstart.md',
    command: 'export KUBECONFIG=$(npm run -s trunnion -- cluster status)',
    testedBy: 'test/cluster/cli/cluster.test.ts',
    words: "'cluster', 'status'",
  },
  {
    page: 'docs/quickstart.md',
    command: 'npm run -s trunnion -- cluster down --delete-data',
    testedBy: 'test/cluster/cli/cluster.test.ts',
    words: "'cluster', 'down', '--delete-data'",
  },
  ...['npm run test:operators', 'npm run test:operators -- kopf'].map((command) => ({
    page: 'docs/operators-side-by-side.md',
    command,
    cannotRun: CAMPAIGN,
  })),
  ...['npm run test:faults', 'npm run test:faults -- --mutants'].map((command) => ({
    page: 'docs/faults.md',
    command,
    cannotRun: CAMPAIGN,
  })),
  {
    page: 'docs/faults.md',
    command: 'npm run test:faults -- --kind ModelServing --only A1 --parallel 6 --json verdicts.json',
    cannotRun: CAMPAIGN,
  },
  ...['npm run test:hostile', 'npm run test:hostile -- --seconds 600 --seed 7'].map((command) => ({
    page: 'docs/hostile.md',
    command,
    testedBy: 'test/hostile/hostile.test.ts',
    words: 'await campaign(',
  })),
  ...[
    'npm run test:fuzz',
    'npm run test:fuzz -- --target archive --seconds 60',
    'npm run test:fuzz -- --seconds 3600 --keep',
  ].map((command) => ({ page: 'docs/hostile.md', command, cannotRun: FUZZING })),
  ...(
    [
      [
        'docs/install.md',
        'trunnion chat qwen-cpu "Name the largest planet."',
        "['llama', 'Hello?', '--system', 'Be short.']",
      ],
      [
        'docs/quickstart.md',
        'npm run -s trunnion -- chat qwen -n models "Name the largest planet."',
        "['llama', 'Hello?', '--system', 'Be short.']",
      ],
      [
        'docs/concepts/model-serving-life.md',
        'trunnion chat llama -n models "Name the largest planet."',
        "['llama', 'Hello?', '--system', 'Be short.']",
      ],
      [
        'docs/recipes/llama-70b.md',
        'trunnion chat llama-3-70b -n models "Name the largest planet."',
        "['llama', 'Hello?', '--system', 'Be short.']",
      ],
      [
        'docs/recipes/platform.md',
        'trunnion chat classifier -n team-a "Spam or not: you have won a prize."',
        "['llama', 'Hello?', '--system', 'Be short.']",
      ],
      [
        'docs/recipes/agent-on-own-model.md',
        'trunnion chat modelserving/qwen -n agents "Name the largest planet."',
        "['llama', 'Hello?', '--system', 'Be short.']",
      ],
      ...['docs/recipes/agent-on-own-model.md', 'docs/concepts/agent-service.md'].map(
        (page) =>
          [
            page,
            'trunnion chat agentservice/support-agent -n agents --path /ask --field question "Is ticket 7 open?"',
            "'agentservice/helper',",
          ] as const,
      ),
    ] as const
  ).map(([page, command, words]) => ({ page, command, testedBy: 'test/unit/cli/chat-run.test.ts', words })),
  {
    page: 'docs/ui.md',
    command: 'trunnion ui -n models',
    testedBy: 'test/cluster/cli/ui.test.ts',
    words: "new Ui(['-n', namespace,",
  },
  {
    page: 'docs/ui.md',
    command: 'ssh -t -L 8080:127.0.0.1:8080 bastion trunnion ui --port 8080',
    cannotRun: 'There is no other machine here that ssh could lead to.',
  },
  ...[0, 1].map((replicas) => ({
    page: 'docs/backup.md',
    command: `kubectl scale -n trunnion-system deployment/trunnion-operator --replicas=${replicas}`,
    testedBy: 'test/cluster/cli/restore.test.ts',
    words: 'await operator.stop()',
  })),
  {
    page: 'docs/backup.md',
    command: 'velero restore create --from-backup nightly --include-namespaces models --wait',
    testedBy: 'test/cluster/cli/restore.test.ts',
    words: 'What Velero creates again of an object',
  },
  ...LANGUAGES,
  ...['npm run bench', 'npm run test:scale'].map((command) => ({
    page: 'docs/performance.md',
    command,
    cannotRun: MEASURING,
  })),
];
