import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { uuidToBytes } from '../../src/ids/uuid/uuid-bytes.ts'
import { cacheMeters } from '../../src/instrumentation/caches/cache-meters.ts'
import { createManagement } from '../../src/management/create-management.ts'
import { createMeterRegistry } from '../../src/metrics/registry.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const codes = [...read('src/base/errors.ts').matchAll(/^ {2}\| '(\w+)'$/gm)].map(([, code = '']) => code)
const page = read('docs/reference/errors.md')

/** What is created otherwise than in src/base/errors.ts, and why. */
const withoutCode: readonly (readonly [file: RegExp, reason: string])[] = [
  [/^src\/cli\//, 'commands print the message and exit with a code'],
  [/^src\/console\/ui\//, 'the page shows the message'],
  [/^src\/contract\/(?:adapter-kit|http-client|check-result)/, 'what the service under test did'],
  [/^src\/instrumentation\/(?:database|messaging|tasks)\//, 'stands for what the application or a library failed with'],
  [/^src\/otlp\/delivery\/(?:delivery|proxy)\.ts$/, 'is the cause of an error of a delivery'],
  [/^src\/otlp\/delivery\/receiver-response\.ts$/, 'ends the reading of a response, which is then ignored'],
  [/^src\/watch\/threads\/thread-dump\.ts$/, 'is created for its stack'],
  [/^adapters\/node\/send-response\.ts$/, 'is what the application threw'],
]

function creatorsOfErrors(): readonly string[] {
  return ['src', 'adapters']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => path.endsWith('.ts') && path !== 'src/base/errors.ts')
    .filter((path) => /(?<!withErrorCode\(\s*|Object\.assign\()new (?:Type|Range|Syntax)?Error\(/.test(read(path)))
}

describe('error codes', () => {
  it('have an entry each in the documentation, in the table and with a section', () => {
    expect(codes.length).toBeGreaterThan(10)
    expect([...page.matchAll(/^### (UPKEEP_\w+)$/gm)].map(([, code]) => code)).toEqual(codes)
    const rows = [...page.matchAll(/^\| \[`(UPKEEP_\w+)`\]\(#(\w+)\) \|/gm)]
    expect(rows.map(([, code]) => code)).toEqual(codes)
    expect(rows.map(([, , fragment]) => fragment)).toEqual(codes.map((code) => code.toLowerCase()))
  })

  it('are used, each', () => {
    const sources = ['src', 'adapters'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => read(join(folder, name))),
    )
    expect(codes.filter((code) => sources.filter((text) => text.includes(`'${code}'`)).length === 0)).toEqual([])
  })

  it('are those of all errors that the package creates, apart from some with a reason', () => {
    const others = creatorsOfErrors().filter((path) => !withoutCode.some(([file]) => file.test(path)))
    expect(others).toEqual([])
  })

  it('have no exception without an error', () => {
    const paths = creatorsOfErrors()
    expect(withoutCode.filter(([file]) => !paths.some((path) => file.test(path)))).toEqual([])
  })
})

describe('an error', () => {
  const thrownBy = (call: () => unknown): unknown => {
    try {
      return call()
    } catch (error) {
      return error
    }
  }
  it.each<[what: string, call: () => unknown, kind: typeof Error, code: string]>([
    ['an unknown option', () => createManagement({ helth: {} } as object), TypeError, 'UPKEEP_EOPTION'],
    ['an option out of range', () => createMeterRegistry({ maximumSeriesPerMeter: 0 }), RangeError, 'UPKEEP_EOPTION'],
    ['a wrong argument', () => uuidToBytes('1'), TypeError, 'UPKEEP_EARGUMENT'],
    [
      'a meter of two kinds',
      () => {
        const meters = createMeterRegistry()
        meters.counter('orders')
        meters.gauge('orders', () => 1)
      },
      TypeError,
      'UPKEEP_EMETER',
    ],
    ['an option of a function', () => cacheMeters(createMeterRegistry(), '', {} as never), TypeError, 'UPKEEP_EOPTION'],
  ])('for %s has a code and a class', (_, call, kind, code) => {
    const error = thrownBy(call)
    expect(error).toBeInstanceOf(kind)
    expect(error).toMatchObject({ code, name: kind.name })
  })
})
