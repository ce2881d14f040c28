import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { built } from '../../../support/built.ts'
import { adapt, readDocumented } from '../../../support/documented.ts'

/** Imports the provider of docs/start/nest.md that exports telemetry, to another receiver. */
export async function documentedTelemetry(url: string): Promise<new (...args: never[]) => object> {
  const source = adapt(readDocumented('start/nest.md', 'telemetry.service.ts'), { 'http://collector:4318': url })
  // The folder's name is that by which decorators are compiled.
  const folder = resolve(built('build/with/nest'), 'test/with/nest/application')
  mkdirSync(folder, { recursive: true })
  const file = resolve(folder, `telemetry-${new URL(url).port}.ts`)
  writeFileSync(file, source)
  const { TelemetryService } = await import(/* @vite-ignore */ file)
  return TelemetryService
}
