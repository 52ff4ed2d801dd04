/** Commands of the page about other languages: they take programs that the walk has not. */
export const LANGUAGES = [
  ...(
    [
      [
        'npm install trunnion @pulumi/pulumi @pulumi/kubernetes cdk8s constructs',
        'test/package/pulumi.test.ts',
        'node_modules/.bin/pulumi-resource-trunnion',
      ],
      ['pulumi up', 'test/pulumi/language-docs.test.ts', 'await stack.up()'],
      [
        'pulumi package add ./node_modules/.bin/pulumi-resource-trunnion',
        'test/pulumi/language-docs.test.ts',
        "command('package', 'add', './node_modules/.bin/pulumi-resource-trunnion')",
      ],
      [
        'npx cdk8s-cli import trunnion.yaml --language python --output imports',
        'test/package/cdk8s-import.test.ts',
        "type('npx cdk8s-cli import trunnion.yaml --language python')",
      ],
      ['pip install cdk8s', 'test/package/cdk8s-import.test.ts', 'pythonWith('],
      [
        'python main.py | trunnion render -f - --keep-others > objects.yaml',
        'test/package/cdk8s-import.test.ts',
        "type('python main.py | trunnion render -f - --keep-others')",
      ],
    ] as const
  ).map(([command, testedBy, words]) => ({ page: 'docs/languages.md', command, testedBy, words })),
  {
    page: 'docs/languages.md',
    command: 'python main.py | kubectl apply -f -',
    cannotRun: 'The walk has no package of Python; on other pages the API server takes the same resource.',
  },
];
