import type { MeterSnapshot } from '../metrics/snapshot.ts'
import type { Family, FamilyContext } from './family.ts'
import { formatValue } from './numbers.ts'

export function counterFamily({ exported, help, format, out }: FamilyContext): Family {
  const { name, unit } = exported
  const total = `${name}_total`
  out.write(format.header({ name, type: 'counter', unit, help }))
  return {
    beside: [],
    write(snapshot, labels) {
      if (snapshot.kind !== 'counter' || !(snapshot.value >= 0)) return
      out.write(`${total}${labels}${formatValue(snapshot.value)}${format.exemplar(snapshot.exemplar)}\n`)
      if (format.created) out.write(createdLine(name, labels, snapshot.created))
    },
  }
}

export function gaugeFamily({ exported, help, format, out }: FamilyContext): Family {
  const { name, unit } = exported
  out.write(format.header({ name, type: 'gauge', unit, help }))
  return {
    beside: [],
    write(snapshot, labels) {
      if (snapshot.kind === 'gauge') out.write(`${name}${labels}${formatValue(snapshot.value)}\n`)
    },
  }
}

/** An info says facts by its labels and is always 1; a gauge that has only the name of one stays a gauge. */
export function infoFamily(context: FamilyContext, first: readonly MeterSnapshot[]): Family {
  const { exported, help, format, out } = context
  const name = `${exported.name}_info`
  if (!first.every(isOne)) return gaugeFamily({ ...context, exported: { ...exported, name } })
  out.write(format.header({ name: exported.name, type: 'info', unit: undefined, help }))
  return {
    beside: [],
    write(snapshot, labels) {
      if (isOne(snapshot)) out.write(`${name}${labels}1\n`)
    },
  }
}

function isOne(snapshot: MeterSnapshot): boolean {
  return snapshot.kind === 'gauge' && snapshot.value === 1
}

/** When a series began; nothing, where that is not known. */
export function createdLine(name: string, labels: string, created: number): string {
  return Number.isFinite(created) ? `${name}_created${labels}${created}\n` : ''
}
