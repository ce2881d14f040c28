import { afterAll, beforeAll, expect, vi } from 'vitest'

const shared = globalThis as { readonly [key: symbol]: Readonly<Record<string, unknown>> | undefined }
let before: readonly string[] = []

beforeAll(() => {
  before = stateOfProcess()
})

afterAll(() => {
  expect(stateOfProcess().filter((each) => !before.includes(each))).toEqual([])
})

/** Returns what tests have switched on in this process, and have to switch off. */
function stateOfProcess(): readonly string[] {
  const tracing = shared[Symbol.for('upkeep.tracing')]?.['current'] === undefined ? [] : ['tracing']
  const api = Object.keys(shared[Symbol.for('opentelemetry.js.api.1')] ?? {}).filter((each) => each !== 'version')
  return [...tracing, ...api.map((each) => `OpenTelemetry ${each}`), ...(vi.isFakeTimers() ? ['fake timers'] : [])]
}
