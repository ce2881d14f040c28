/**
 * Returns the command that installs matching versions of the OpenTelemetry packages: line 3 where Node supports it (≥
 * 22.15), else line 2. Without version ranges npm would mix the lines.
 */
export function installLine(nodeVersion: string): string {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const { api, stable, experimental } = lines[major > 22 || (major === 22 && minor >= 15) ? 3 : 2]
  const packages = [
    `api@${api}`,
    ...['core', 'resources', 'sdk-trace', 'sdk-metrics'].map((name) => `${name}@${stable}`),
    ...['exporter-trace-otlp-proto', 'exporter-metrics-otlp-proto'].map((name) => `${name}@${experimental}`),
  ]
  return `npm install ${packages.map((name) => `@opentelemetry/${name}`).join(' ')}`
}

const lines = {
  2: { api: '1.9.1', stable: '2.12.0', experimental: '0.223.0' },
  3: { api: '1.10.0', stable: '3.1.0', experimental: '0.301.0' },
} as const
