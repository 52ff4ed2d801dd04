import { type BuiltFile, chartOf, type ChartPart } from '../chart/chart.ts';
import { valuesTable } from '../chart/values.ts';
import { type DefinedOperator, definitions, operator, rights, rightsOfUsers } from './objects.ts';
import { type DefinedSettings, definedSettings } from './settings.ts';

/** An operator, and the words of its chart. */
export interface DefinedChart extends DefinedOperator {
  /** What it does, in a sentence. */
  readonly description: string;
  /** Where its image is, without a tag. */
  readonly repository: string;
  /** The command line that writes the chart. */
  readonly command: string;
}

/** The Helm chart of an operator that runs kinds of its own. */
export function definedChart(of: DefinedChart): readonly BuiltFile[] {
  const { identity, version, description, repository, command } = of;
  const settings = definedSettings(repository);
  return chartOf<DefinedSettings>({
    metadata: { apiVersion: 'v2', name: identity.name, description, type: 'application', version, appVersion: version },
    settings,
    command,
    readme: readme(of, valuesTable(settings)),
    notes: notes(of),
    parts: [
      { render: (values, namespace) => definitions(of, values, namespace), of: ['crds'] },
      {
        render: (values, namespace) => [
          ...rights(of, values, namespace),
          ...rightsOfUsers(of, values),
          ...operator(of, values, namespace),
        ],
        of: Object.keys(settings.shape).filter((setting) => setting !== 'crds'),
      },
    ] satisfies readonly ChartPart<DefinedSettings>[],
  });
}

const readme = ({ identity: { name }, description, version }: DefinedChart, values: string): string => `# ${name}

${description} This chart installs the operator, version ${version}.

\`\`\`console
$ helm install ${name} . --namespace ${name} --create-namespace
\`\`\`

The CRDs are templates, since Helm never upgrades what is in a folder \`crds\`. They stay when the release goes
(\`crds.keep\`), because a CRD takes its resources with it.

## Values

${values}
`;

const notes = ({
  identity: { name },
  kinds,
}: DefinedChart): string => `${name} {{ .Chart.AppVersion }} is installed in the namespace {{ .Release.Namespace }}.
It works in {{ if .Values.watchNamespace }}the namespace {{ .Values.watchNamespace }} alone{{ else }}the whole cluster{{ end }}.

Wait until it does:
  kubectl rollout status deployment/${name} --namespace {{ .Release.Namespace }}

See what there is for it to run:
  kubectl get ${kinds.map(({ schema }) => `${schema.plural}.${schema.group}`).join(',')} --all-namespaces
{{- if and .Values.crds.enabled (not .Values.crds.keep) }}

The CRDs go with this release, and with them all resources and what belongs to them. Before \`helm uninstall\`, say
crds.keep=true.
{{- end }}
`;
