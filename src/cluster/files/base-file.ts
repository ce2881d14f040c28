import { randomUUID } from 'node:crypto'
import type { BaseContent } from '../member-image.ts'
import { encodeFile } from './content-file.ts'
import { encodeDefinition } from './definition-log.ts'
import { encodeExemplars } from './exemplar-records.ts'
import type { FoldedMember } from './file-about.ts'

export const baseName = 'base'

/** Returns the file of the values of ended members. Throws if they exceed what a file may hold. */
export function encodeBase(content: BaseContent, folded: readonly FoldedMember[], time: number): Buffer {
  const records = content.definitions.map((definition, index) => {
    const record = encodeDefinition(index, definition)
    if (record === undefined) throw new Error(`the series ${definition.id.name} cannot be written`)
    return record
  })
  const about = { generation: randomUUID(), folded }
  const state = { readiness: 'REFUSING_TRAFFIC', liveness: 'CORRECT', isFinal: true } as const
  const values = { cells: content.cells, exemplars: encodeExemplars(content.exemplars), state, time }
  return encodeFile(about, values, Buffer.concat(records))
}
