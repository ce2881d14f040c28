import { bytes } from '../../top/formats.ts'
import { numberOf, objectOf } from '../../top/top-sample.ts'
import { describe, int, maximum, minimum, optional } from '../sdk.ts'
import type { Connection } from '../service.ts'
import { required, serviceTool, type Tool } from '../tool.ts'
import { sumByFunction } from './folded-profile.ts'
import { tableOf } from './shown-values.ts'

export const heapGrowth: Tool = serviceTool({
  name: 'heap_growth',
  title: 'Growth of the heap',
  description:
    'Finds which functions allocate memory that stays. Records two heap profiles one after the other, the second ' +
    'three times as long, and shows by function how much more of its memory is alive after the longer one. A cache ' +
    'that is full has no growth, a leak has. Takes four times the seconds.',
  fields: {
    seconds: optional(
      int().check(minimum(2), maximum(15), describe('How long the first profile takes; 5 by default.')),
    ),
  },
  run: (connection, { seconds = 5 }) =>
    connection.alone(async () => {
      const before = await heapUsed(connection)
      const first = await record(connection, seconds)
      const second = await record(connection, 3 * seconds)
      const after = await heapUsed(connection)
      const growth = [...second.values()]
        .map(({ name, self }) => ({ name, more: self - (first.get(name)?.self ?? 0), alive: self }))
        .filter(({ more }) => more > 0)
        .sort((one, other) => other.more - one.more)
      const rate = (more: number) => `${bytes(more / (2 * seconds))}/s`
      const [most] = growth
      const used =
        before === null || after === null ? '' : ` The heap used ${bytes(before)} before, ${bytes(after)} after.`
      const found = most === undefined ? 'No function has growing memory.' : `${most.name} grows by ${rate(most.more)}.`
      const rows = growth.slice(0, 25).map(({ name, more, alive }) => [rate(more), bytes(more), bytes(alive), name])
      return {
        summary: [`${found}${used}`],
        details: tableOf([['RATE', 'GROWTH', 'ALIVE', 'ALLOCATED BY'], ...rows]),
        narrowBy: 'seconds',
      }
    }),
})

/** Records what was allocated in some seconds and is alive at their end. */
async function record(connection: Connection, seconds: number) {
  const query = [
    ['seconds', seconds],
    ['type', 'heap'],
    ['format', 'folded'],
  ] as const
  const text = await connection.readText('profile', { query, accept: 'text/plain', seconds: seconds + 30 })
  return sumByFunction(required(text, connection, 'profile'))
}

async function heapUsed(connection: Connection): Promise<number | null> {
  const overview = await connection.read('console/overview')
  return numberOf(objectOf(overview?.['vitals'])['heapUsed'])
}
