{{- define "ghostlight.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end }}
{{- end }}

{{- define "ghostlight.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "ghostlight.labels" -}}
{{ include "ghostlight.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "ghostlight.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "ghostlight.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "ghostlight.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* Names of the settings that come from a Secret, of either kind. */}}
{{- define "ghostlight.secretNames" -}}
{{- concat (keys .Values.secrets) (ternary .Values.existingSecret.keys list (ne .Values.existingSecret.name "")) | uniq | sortAlpha | toJson }}
{{- end }}

{{/* Refuses values that can't work, each with a sentence. */}}
{{- define "ghostlight.check" -}}
{{- $secret := include "ghostlight.secretNames" . | fromJsonArray }}
{{- $stores := and (has "DATABASE_URL" $secret) (has "CLICKHOUSE_URL" $secret) }}
{{- if and (gt (int .Values.replicas) 1) (not $stores) }}
{{- fail "More than one replica needs PostgreSQL and ClickHouse: put DATABASE_URL and CLICKHOUSE_URL into secrets, or name them in existingSecret.keys." }}
{{- end }}
{{- if and (has "DATABASE_URL" $secret) (not (and (has "ADMIN_TOKEN" $secret) (has "SECRET_KEY" $secret))) }}
{{- fail "With DATABASE_URL, ADMIN_TOKEN and SECRET_KEY must be set too: put them into secrets, or name them in existingSecret.keys." }}
{{- end }}
{{- if and .Values.existingSecret.keys (not .Values.existingSecret.name) }}
{{- fail "existingSecret.keys is set: set existingSecret.name too." }}
{{- end }}
{{- range $name := list "DATA_DIR" "HOST" "PORT" "METRICS_PORT" "HOME" }}
{{- if hasKey $.Values.settings $name }}{{ fail (printf "The chart sets %s: remove it from settings." $name) }}{{ end }}
{{- end }}
{{- range $name := $secret }}
{{- if hasKey $.Values.settings $name }}{{ fail (printf "%s is in settings and among the secrets: keep one of them." $name) }}{{ end }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}
{{- fail "ingress.enabled needs ingress.host, the public name." }}
{{- end }}
{{- end }}

{{/* Environment variables that follow from other values; settings may replace them. */}}
{{- define "ghostlight.derived" -}}
{{- $derived := dict }}
{{- if .Values.ingress.enabled }}
{{- $derived = dict "BASE_URL" (printf "https://%s" .Values.ingress.host) "TRUST_PROXY" "1" }}
{{- end }}
{{- merge (deepCopy .Values.settings) $derived | toJson }}
{{- end }}
