import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

interface UuidVectors {
  readonly rfc9562: readonly { readonly title: string; readonly uuid: string; readonly version: number }[]
  readonly nameBased: readonly {
    readonly source: string
    readonly version: 3 | 5
    readonly ns: string
    readonly name: string
    readonly name_hex?: string
    readonly uuid: string
  }[]
  readonly timeBased: readonly {
    readonly source: string
    readonly uuid: string
    readonly unix_ms?: number
    readonly unix_s?: number
    readonly nanos?: number
    readonly gregorian100ns?: string
    readonly clockSeq?: number
    readonly node?: string
    readonly version?: number
  }[]
  readonly v7order: readonly string[]
  readonly inspect: readonly {
    readonly source: string
    readonly in: string
    readonly version: number | null
    readonly variant?: string
    readonly parses?: boolean
    readonly strictValid?: boolean
  }[]
}

export const uuidVectors: UuidVectors = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../vectors/uuid.json'), 'utf8'),
)
