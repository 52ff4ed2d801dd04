import type { Names } from '../names.ts';
import type { ProjectFile } from '../types.ts';

/** What somebody reads who comes to the project. */
export const readmeFile = ({ kind, plural, group, file, operator }: Names): ProjectFile => ({
  path: 'README.md',
  text: `# ${operator}

The operator of \`${kind}\`, a kind of the group \`${group}\`.

| | |
|---|---|
| \`src/${file}.ts\` | the kind: its schema, the objects that it turns into, and its status |
| \`src/operator.ts\` | the program |
| \`test/${file}.test.ts\` | the life of a resource, without a cluster |
| \`test/faults/faults.test.ts\` | the operator under crashes and faults, on a real control plane |

## Run it

Node.js 22.19 or newer, kubectl, and a cluster. Without one, this starts a control plane on your machine; the first time
it is built, which needs Go and takes minutes:

\`\`\`console
$ export KUBECONFIG=$(npx trunnion cluster up)
\`\`\`

\`\`\`console
$ npm install
$ npm test
$ npm run dev
\`\`\`

\`npm run dev\` applies the CRD, and starts the operator again whenever a file changes. In another terminal:

\`\`\`console
$ kubectl apply -f example.yaml
$ kubectl get ${plural}
$ npx trunnion status hello --kinds src/operator.ts
\`\`\`

## Ship it

\`npm run image\` builds \`${operator}:0.1.0\`. Push it to your registry, and name it there in the script \`chart\` of
package.json, with \`--image registry.example.com/${operator}\`. Then:

\`\`\`console
$ npm run deploy
\`\`\`

It writes the chart to \`chart/\`, and installs it in the namespace \`${operator}\`. The chart's version, and the image's
tag, are the version in package.json.

## Change it

\`\`\`console
$ npx trunnion render -f example.yaml --kinds src/operator.ts
$ npx trunnion plan -f example.yaml --kinds src/operator.ts
$ npx trunnion kind docs src/operator.ts
\`\`\`

The first shows the objects of a resource, the second what applying it would change in the cluster, the third the
reference page of the kind.
`,
});
