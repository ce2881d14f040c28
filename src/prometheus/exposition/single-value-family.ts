import type { MeterSnapshot } from '../../metrics/snapshot.ts'
import { onlySampleName } from '../naming.ts'
import type { Family, FamilyContext } from './family-writer.ts'
import { formatValue, isCount } from './numbers.ts'

export function counterFamily({ exported, help, format, out }: FamilyContext): Family {
  const { name, unit } = exported
  const type = exported.type === 'counter' ? 'counter' : 'unknown'
  const sampleName = onlySampleName(exported)
  const createdName = `${name}_created`
  out.write(format.header({ name, type, unit, help }))
  return {
    beside: [],
    write(series, texts) {
      let lines = ''
      let written = 0
      for (let index = 0; index < series.length; index++) {
        const snapshot = series[index]
        const text = texts[index]
        if (text === undefined || snapshot?.kind !== 'counter' || !isCount(snapshot.value)) continue
        const exemplar = snapshot.exemplar === undefined || type === 'unknown' ? '' : format.exemplar(snapshot.exemplar)
        lines += text
        lines += `${formatValue(snapshot.value)}${exemplar}\n`
        if (format.created && type === 'counter')
          lines += createdLine(createdName, text.slice(sampleName.length), snapshot.created)
        written++
      }
      out.write(lines)
      return written
    },
  }
}

export function gaugeFamily({ exported, help, format, out }: FamilyContext): Family {
  const { unit } = exported
  out.write(format.header({ name: onlySampleName(exported), type: 'gauge', unit, help }))
  return {
    beside: [],
    write(series, texts) {
      let lines = ''
      let written = 0
      for (let index = 0; index < series.length; index++) {
        const snapshot = series[index]
        const text = texts[index]
        if (text === undefined || snapshot?.kind !== 'gauge') continue
        lines += text
        lines += `${formatValue(snapshot.value)}\n`
        written++
      }
      out.write(lines)
      return written
    },
  }
}

/** An info says facts by its labels and is always 1; a gauge that has only the name of one stays a gauge. */
export function infoFamily(context: FamilyContext, first: readonly MeterSnapshot[]): Family {
  const { exported, help, format, out } = context
  if (!first.every(isOne)) return gaugeFamily(context)
  out.write(format.header({ name: exported.name, type: 'info', unit: undefined, help }))
  return {
    beside: [],
    write(series, texts) {
      let written = 0
      for (const [index, snapshot] of series.entries()) {
        const text = texts[index]
        if (text === undefined || !isOne(snapshot)) continue
        out.write(`${text}1\n`)
        written++
      }
      return written
    },
  }
}

function isOne(snapshot: MeterSnapshot): boolean {
  return snapshot.kind === 'gauge' && snapshot.value === 1
}

/** When a series began; nothing, where that is not known. */
export function createdLine(createdName: string, labels: string, created: number): string {
  return Number.isFinite(created) ? `${createdName}${labels}${created}\n` : ''
}
