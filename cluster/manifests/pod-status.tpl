{{- /* Put before the template of every stage of a pod: what more than one of them needs. */ -}}
{{- $now := Now -}}
{{- $sim := dict -}}
{{- range $name, $value := .metadata.annotations }}{{ $_ := set $sim (trimPrefix "sim.trunnion.dev/" $name) $value }}{{ end -}}
{{- $target := default "" (index $sim "container") -}}
{{- $sidecars := list -}}
{{- range .spec.initContainers }}{{ if eq .restartPolicy "Always" }}{{ $sidecars = append $sidecars .name }}{{ end }}{{ end -}}
{{- /* The init container whose turn it is; none once the containers may run. */ -}}
{{- $turn := "" -}}
{{- range .status.initContainerStatuses -}}
  {{- $completed := and .state.terminated (eq (toString .state.terminated.exitCode) "0") -}}
  {{- $aside := and .state.running (has .name $sidecars) -}}
  {{- if and (not $turn) (not $completed) (not $aside) }}{{ $turn = .name }}{{ end -}}
{{- end -}}
{{- $running := dict "running" (dict "startedAt" $now) -}}
{{- $unready := dict "type" "Ready" "status" "False" "reason" "ContainersNotReady" "message" "containers with unready status" "lastTransitionTime" $now -}}
{{- $containersUnready := dict "type" "ContainersReady" "status" "False" "reason" "ContainersNotReady" "message" "containers with unready status" "lastTransitionTime" $now -}}
{{- /* What the fetcher leaves behind as its termination message. */ -}}
{{- $weights := dict "revision" "5f0c8d3b7a1e4c2f9d6b0a8e7f5c3d1b2a4e6f80" "bytes" 16060522496 "totalBytes" 16060522496 -}}
