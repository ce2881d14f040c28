import { share } from '../../top/formats.ts'
import { describe, int, maximum, minimum, optional } from '../sdk.ts'
import { required, serviceTool, type Tool } from '../tool.ts'
import { sumByFunction } from './folded-profile.ts'
import { tableOf } from './shown-values.ts'

export const profile: Tool = serviceTool({
  name: 'profile',
  title: 'Profile the processor time',
  description:
    'Records where a service spends its time, for some seconds, and shows the functions that took most. The profiler ' +
    'slows the service a little. Waiting is not in it: a service that waits for others is better read from traces.',
  fields: {
    seconds: optional(int().check(minimum(1), maximum(30), describe('How long; 5 by default.'))),
  },
  async run(connection, { seconds = 5 }) {
    const query = [
      ['seconds', seconds],
      ['format', 'folded'],
    ] as const
    const options = { query, accept: 'text/plain', seconds: seconds + 30 }
    const text = await connection.alone(() => connection.readText('profile', options))
    const functions = [...sumByFunction(required(text, connection, 'profile')).values()]
    const busy = functions.reduce((sum, { self }) => sum + self, 0)
    const bySelf = functions.toSorted((one, other) => other.self - one.self)
    const rows = bySelf
      .slice(0, 30)
      .map(({ name, self, total }) => [
        ...[share(self / busy), share(total / busy), `${Math.round(self / 1_000)} ms`, name],
      ])
    const [first] = bySelf
    const load = `Busy for ${(busy / 1e6).toFixed(2)} s of all threads in ${seconds} s`
    return {
      summary: [first === undefined ? `${load}.` : `${load}; ${share(first.self / busy)} of that in ${first.name}.`],
      details: tableOf([['SELF', 'WITH CALLS', 'SELF TIME', 'FUNCTION'], ...rows]),
      narrowBy: 'seconds',
    }
  },
})
