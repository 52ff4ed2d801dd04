import { settingsSchema } from '../settings.ts';
import { valuesTable } from './values.ts';

/** What Helm says when it is done. */
export const notes = `Trunnion {{ .Chart.AppVersion }} is installed in the namespace {{ .Release.Namespace }}.
It works in {{ if .Values.watchNamespace }}the namespace {{ .Values.watchNamespace }} alone{{ else }}the whole cluster{{ end }}.

Wait until it does:
  kubectl rollout status deployment/trunnion-operator --namespace {{ .Release.Namespace }}

See what there is for it to run:
  kubectl get trunnion --all-namespaces
{{- if and .Values.crds.enabled (not .Values.crds.keep) }}

The CRDs go with this release, and with them all resources and what belongs to them. Before \`helm uninstall\`, say
crds.keep=true, or have the operator let go of what it runs: trunnion release.
{{- end }}
`;

/** The chart's README. */
export const readme = ({
  version,
  description,
}: {
  readonly version: string;
  readonly description: string;
}): string => `# trunnion

${description}. This chart installs the operator, version ${version}.

\`\`\`console
$ helm install trunnion charts/trunnion --namespace trunnion-system --create-namespace
\`\`\`

The CRDs are templates, since Helm never upgrades what is in a folder \`crds\`. They stay when the release goes
(\`crds.keep\`), because a CRD takes its resources with it.

## Values

${valuesTable(settingsSchema)}
`;
