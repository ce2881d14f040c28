// The two lines of OpenTelemetry. Line 2 is among what the project develops with; line 3, which cannot be installed
// beside it, is installed into a folder of its own.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** One release set: what npm would choose of each package by itself does not fit together. */
const line3 = {
  '@opentelemetry/api': '1.10.0',
  '@opentelemetry/core': '3.1.0',
  '@opentelemetry/resources': '3.1.0',
  '@opentelemetry/sdk-metrics': '3.1.0',
  '@opentelemetry/sdk-trace': '3.1.0',
  '@opentelemetry/context-async-hooks': '3.1.0',
  '@opentelemetry/exporter-trace-otlp-proto': '0.301.0',
  '@opentelemetry/instrumentation': '0.301.0',
  '@opentelemetry/instrumentation-http': '0.301.0',
}

/** `require` finds the packages of a line, whose `version` is told. */
export function openTelemetry(wanted) {
  const root = join(import.meta.dirname, '..')
  const from = wanted === 2 ? root : installed(join(root, 'build/open-telemetry-3'))
  const require = createRequire(join(from, 'package.json'))
  const { version } = JSON.parse(readFileSync(join(from, 'node_modules/@opentelemetry/core/package.json'), 'utf8'))
  return { require, version }
}

function installed(folder) {
  if (Object.keys(line3).every((name) => existsSync(join(folder, 'node_modules', name)))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: line3 }))
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('OpenTelemetry 3.x could not be installed')
  return folder
}
