/**
 * What installs the packages of OpenTelemetry, in versions that belong together: of its line 3 where Node is new enough for
 * it (22.15), else of its line 2. Without versions npm takes some of each.
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
