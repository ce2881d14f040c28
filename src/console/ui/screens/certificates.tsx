import type { HealthDocument, HealthNode } from '../../documents.ts'
import { formatDate, formatSeconds } from '../format.ts'
import { useDocument } from '../hooks.ts'
import { shownText } from '../shown-text.ts'
import { Badge, Card, Empty, Problem, type Tone } from '../widgets.tsx'

/** A chain in the details of the health component `ssl`. */
interface Chain {
  readonly alias: string
  readonly error?: string
  readonly certificates: readonly {
    readonly subject: string
    readonly validityEnds: string
    readonly validity: { readonly status: string; readonly message?: string }
  }[]
}

const dayMilliseconds = 86_400_000

/** The certificates of the servers of the service, with their expiry. */
export function Certificates() {
  const loaded = useDocument<HealthDocument>('health', 0)
  const { data } = loaded
  const chains = data === undefined ? [] : chainsIn(data.root)
  return (
    <Card title="Certificates">
      <Problem of={loaded} />
      {data !== undefined && chains.length === 0 ? (
        <Empty>
          No certificate is known. To see them here, add the health indicator <code>sslBundles</code> as{' '}
          <code>ssl</code>.
        </Empty>
      ) : null}
      <ul class="rows">
        {chains.map(({ alias, error, certificates }) => (
          <li key={alias}>
            <b>{shownText(alias, 100)}</b>
            {error === undefined ? null : <Badge tone="bad">{shownText(error, 300)}</Badge>}
            {certificates.map(({ subject, validityEnds, validity }) => (
              <span class="grow" key={subject}>
                {shownText(subject, 300)} until {formatDate(Date.parse(validityEnds))}{' '}
                <Expiry status={validity.status} remaining={Date.parse(validityEnds) - (data?.now ?? 0)} />
              </span>
            ))}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Expiry(props: { readonly status: string; readonly remaining: number }) {
  const { status, remaining } = props
  if (status !== 'VALID') return <Badge tone="bad">{shownText(status, 40)}</Badge>
  const tone: Tone = remaining < 14 * dayMilliseconds ? 'warn' : 'good'
  return <Badge tone={tone}>{formatSeconds(remaining / 1_000)} left</Badge>
}

/** Returns the chains of all components of the kind. */
function chainsIn(root: HealthNode): readonly Chain[] {
  const found: Chain[] = []
  const pending = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { validChains, invalidChains } = node.details ?? {}
    if (Array.isArray(validChains)) found.push(...validChains)
    if (Array.isArray(invalidChains)) found.push(...invalidChains)
    pending.push(...node.components)
  }
  return found
}
