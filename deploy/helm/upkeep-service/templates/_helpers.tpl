{{- define "service.labels" -}}
app.kubernetes.io/name: {{ .Release.Name }}
{{- end }}

{{- define "service.managementPort" -}}
{{- if eq (int .Values.management.port) (int .Values.http.port) -}}http{{- else -}}management{{- end -}}
{{- end }}
