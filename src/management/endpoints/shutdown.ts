import type { ClusterView } from '../../cluster/cluster-host.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Call } from '../../http/resource.ts'
import type { ShutdownRequests } from '../../lifecycle/shutdown/shutdown-requests.ts'
import type { DescribedParameter } from '../../rest/openapi/operation.ts'
import { parseSlot, readMemberText, requireMember } from '../cluster/member-parameter.ts'
import type { Endpoint } from './endpoint.ts'
import { describeJson, json, objectSchema, stringSchema } from './json-representation.ts'

interface Cluster {
  readonly view: ClusterView | undefined
}

const memberOrAll: DescribedParameter = {
  name: 'member',
  description: 'Shuts down another member of the cluster, by its number, or all of them.',
  schema: { anyOf: [{ type: 'integer', minimum: 0, maximum: 999_999 }, { const: 'all' }] },
}

const reason = 'requested by POST shutdown'

/**
 * `shutdown`: an authorized caller starts the graceful shutdown of `shutdownGracefully` by POST: that of the member
 * which responds, or in a cluster of those that the query parameter `member` names.
 */
export function shutdownEndpoint({ request }: Pick<ShutdownRequests, 'request'>, cluster: Cluster): Endpoint {
  const begun = () => json({ message: 'Shutting down, bye...' }, 'no-store')
  const shutDownThis = () => {
    if (request(reason)) return begun()
    throw new HttpError(501, 'The application has no graceful shutdown; it does not call shutdownGracefully.')
  }
  const shutDownMember = async (slot: number) => {
    await requireMember(cluster.view, slot)
    if (slot === cluster.view?.slot) return shutDownThis()
    cluster.view?.broadcast({ kind: 'shutdown', reason, slots: [slot] })
    return begun()
  }
  const post = ({ query }: Call) => {
    const member = readMemberText(query)
    if (member !== undefined && member !== 'all') {
      return shutDownMember(parseSlot(member, 'the number of a member, or all'))
    }
    const { view } = cluster
    const others = view?.members().filter(({ isAlive, identity }) => isAlive && identity.slot !== view.slot) ?? []
    if (member === undefined || view === undefined || others.length === 0) return shutDownThis()
    view.broadcast({ kind: 'shutdown', reason })
    return begun()
  }
  const summary = 'Shuts down the application gracefully.'
  const content = describeJson(objectSchema({ message: stringSchema }))
  const responses = [
    { status: 200, description: 'The shutdown has begun.', content },
    { status: 501, description: 'The application has no graceful shutdown.' },
  ]
  return {
    id: 'shutdown',
    routes: [{ path: 'shutdown', resource: { access: 'authorized', post } }],
    describe: () => ({ shutdown: { POST: { summary, query: [memberOrAll], responses } } }),
  }
}
