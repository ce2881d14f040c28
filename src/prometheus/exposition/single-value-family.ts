import type { MeterSnapshot } from '../../metrics/snapshot.ts'
import { onlySampleName } from '../naming.ts'
import type { LineWriter, TextFamily } from './line-writer.ts'
import { formatValue, isCount } from './numbers.ts'

/** Writes the header of a counter's family and returns the writer of its series. */
export function counterFamily({ exported, help, format, out }: TextFamily): LineWriter {
  const { name, unit } = exported
  const type = exported.type === 'counter' ? 'counter' : 'unknown'
  const sampleName = onlySampleName(exported)
  const createdName = `${name}_created`
  out.write(format.header({ name, type, unit, help }))
  return lineWriter(out, (snapshot, text) => {
    if (snapshot.kind !== 'counter' || !isCount(snapshot.value)) return ''
    const { value, exemplar, created } = snapshot
    const remark = exemplar === undefined || type === 'unknown' ? '' : format.exemplar(exemplar)
    const line = `${text}${formatValue(value)}${remark}\n`
    if (!format.created || type === 'unknown') return line
    return line + createdLine(createdName, text.slice(sampleName.length), created)
  })
}

/** Writes the header of a gauge's family and returns the writer of its series. */
export function gaugeFamily({ exported, help, format, out }: TextFamily): LineWriter {
  out.write(format.header({ name: onlySampleName(exported), type: 'gauge', unit: exported.unit, help }))
  return lineWriter(out, (snapshot, text) =>
    snapshot.kind === 'gauge' ? `${text}${formatValue(snapshot.value)}\n` : '',
  )
}

/**
 * Like `gaugeFamily`, for a gauge whose name ends in `_info`. An info has its facts in its labels and is always 1: if
 * one of the first series has another value, the family is a gauge.
 */
export function infoFamily(context: TextFamily, first: readonly MeterSnapshot[]): LineWriter {
  const { exported, help, format, out } = context
  if (!first.every(isOne)) return gaugeFamily(context)
  out.write(format.header({ name: exported.name, type: 'info', unit: undefined, help }))
  return lineWriter(out, (snapshot, text) => (isOne(snapshot) ? `${text}1\n` : ''))
}

/** Creates a writer of one line per series; a series whose line is empty is omitted. */
function lineWriter(out: TextFamily['out'], lineOf: (snapshot: MeterSnapshot, text: string) => string): LineWriter {
  return {
    sideGauges: [],
    write(slice, texts) {
      let lines = ''
      let written = 0
      for (let index = 0; index < slice.length; index++) {
        const text = texts[index]
        if (text === undefined) continue
        const line = lineOf(slice[index] as MeterSnapshot, text)
        if (line === '') continue
        lines += line
        written++
      }
      out.write(lines)
      return written
    },
  }
}

function isOne(snapshot: MeterSnapshot): boolean {
  return snapshot.kind === 'gauge' && snapshot.value === 1
}

/** Returns the line with the start of a series, or an empty string if it is not known. */
export function createdLine(createdName: string, labels: string, created: number): string {
  return Number.isFinite(created) ? `${createdName}${labels}${created}\n` : ''
}
