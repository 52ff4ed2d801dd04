/** How the operator is installed, page by page: on clusters of their own, since it is there once. */
export const INSTALLING = [
  ...(
    [
      ['npm ci', '.ci/run', 'step npm ci'],
      ['npm run image', 'test/install/image.test.ts', 'writeImage('],
      ['npm run build', 'test/support/packages.ts', "'run', 'build'"],
      [
        'npm pack ./dist/packages/trunnion ./dist/packages/trunnion-operator',
        'test/support/packages.ts',
        "'pack', '--silent'",
      ],
      [
        'npm install --global ./trunnion-0.1.0.tgz ./trunnion-operator-0.1.0.tgz',
        'test/package/operator.test.ts',
        "'install', '--global'",
      ],
      [
        'npm install ./trunnion-0.1.0.tgz ./trunnion-operator-0.1.0.tgz',
        'test/support/packages.ts',
        '...tarballs, ...peers',
      ],
      ['npx trunnion doctor', 'test/package/operator.test.ts', "'--no-install', 'trunnion'"],
      [
        'helm install trunnion dist/charts/trunnion --namespace trunnion-system --create-namespace --values values.yaml',
        'test/install/support/ways.ts',
        "'install', 'trunnion', chart()",
      ],
      [
        'helm install trunnion dist/charts/trunnion --namespace models --create-namespace --set watchNamespace=models --values values.yaml',
        'test/install/support/ways.ts',
        '`watchNamespace=${namespace}`',
      ],
      ['trunnion install --values values.yaml', 'test/install/values.test.ts', "'--values', file"],
      [
        'trunnion install --values values.yaml --print > trunnion.yaml',
        'test/install/values.test.ts',
        "'--print', '--values', file",
      ],
      ['kubectl apply -f trunnion.yaml', 'test/install/support/ways.ts', "'install.yaml'"],
      ['trunnion doctor', 'test/cluster/cli/doctor.test.ts', "'doctor'"],
      ['kubectl apply -k .', 'test/install/support/ways.ts', "'apply', '-k', overlay(where)"],
      [
        'trunnion install --namespace models --watch-namespace models --values values.yaml',
        'test/install/support/ways.ts',
        "command('install', ...scope(where))",
      ],
      [
        'kubectl create rolebinding ann --namespace models --clusterrole edit --user ann',
        'test/cluster/security/user-roles.test.ts',
        'clusterRole: role',
      ],
      [
        'kubectl auth can-i create modelservings --namespace models --as ann',
        'test/cluster/security/user-roles.test.ts',
        "kind: 'SelfSubjectAccessReview'",
      ],
      [
        'helm upgrade trunnion dist/charts/trunnion --namespace trunnion-system --reuse-values',
        'test/install/upgrade.test.ts',
        "'upgrade', 'trunnion', chart(), '--reuse-values'",
      ],
      ['trunnion uninstall', 'test/install/support/ways.ts', "command('uninstall', ...scope(where))"],
      [
        'helm uninstall trunnion --namespace trunnion-system',
        'test/install/support/ways.ts',
        "'uninstall', 'trunnion'",
      ],
      [
        'trunnion release modelserving/qwen -n models > qwen.yaml',
        'test/install/uninstall.test.ts',
        "'release', 'modelserving/qwen'",
      ],
      ['trunnion uninstall --crds', 'test/install/uninstall.test.ts', "'uninstall', '--crds'"],
      [
        'npx cdk8s import node_modules/trunnion-operator/dist/crds.yaml --language python',
        'test/install/languages.test.ts',
        "'--language', name",
      ],
      ['sha256sum --check SHA256SUMS', 'test/install/release.test.ts', "'--check', 'SHA256SUMS'"],
    ] as const
  ).map(([command, testedBy, words]) => ({ page: 'docs/install.md', command, testedBy, words })),
  ...(
    [
      [
        'skopeo copy oci-archive:release/trunnion-operator-0.1.0-amd64.tar docker://registry.example.com/trunnion-operator:0.1.0',
        'There is no registry to push to.',
      ],
      [
        'kubectl rollout status -n trunnion-system deployment/trunnion-operator --timeout=180s',
        'The walk has no image to pull; test/install/image.test.ts runs it.',
      ],
      [
        'kubectl wait --for=condition=Ready modelserving/qwen-cpu --timeout=30m',
        'No operator runs beside what this page installs; test/real/demo.test.ts asks a model on CPUs.',
      ],
      ['skopeo login registry.example.com', 'There is no registry to log in to.'],
      ['podman build -t registry.example.com/trunnion-operator:0.1.0 .', 'There is no registry to pull its base from.'],
      ['podman push registry.example.com/trunnion-operator:0.1.0', 'There is no registry to push to.'],
      [
        'cosign verify-blob --bundle SHA256SUMS.sigstore.json SHA256SUMS',
        'Signing takes an identity that a service on the internet confirms.',
      ],
    ] as const
  ).map(([command, cannotRun]) => ({ page: 'docs/install.md', command, cannotRun })),
];

/** How a release is made: what it changes is not here to be changed. */
export const RELEASING = [
  ...(
    [
      ['npm ci && npm run release', 'test/install/release.test.ts', "'scripts/release/main.ts', release"],
      [
        'cd release && sha256sum --check SHA256SUMS',
        'test/install/release.test.ts',
        "'sha256sum', ['--check', 'SHA256SUMS']",
      ],
      ['helm rollback trunnion --namespace trunnion-system', 'test/install/upgrade.test.ts', "'rollback', 'trunnion'"],
    ] as const
  ).map(([command, testedBy, words]) => ({ page: 'docs/release.md', command, testedBy, words })),
  ...(
    [
      ['npm version minor --no-git-tag-version', 'It changes the version of the repository.'],
      [
        'skopeo copy oci-archive:release/trunnion-operator-0.1.0-amd64.tar docker://registry.example.com/trunnion-operator:0.1.0',
        'There is no registry to push to.',
      ],
      ['git tag --sign v0.1.0 --message v0.1.0 && git push origin v0.1.0', 'It publishes a tag.'],
      ['npm publish release/trunnion-0.1.0.tgz', 'It publishes the package.'],
      ["npm deprecate trunnion@0.2.0 'Use 0.2.1: see CHANGELOG.md.'", 'It changes what is published.'],
    ] as const
  ).map(([command, cannotRun]) => ({ page: 'docs/release.md', command, cannotRun })),
];
