import type { PoolFacts } from '../../documents.ts'
import { formatNumber } from '../format.ts'
import { shownText } from '../shown-text.ts'
import { Badge, Empty } from '../widgets.tsx'

/** Pools of connections: how many are used and idle, of how many, and how many callers wait. */
export function Pools(props: { readonly pools: readonly PoolFacts[] }) {
  if (props.pools.length === 0) return <Empty>No pools are known.</Empty>
  return (
    <ul class="rows">
      {props.pools.slice(0, 100).map(({ name, used, idle, maximum, waiting }) => (
        <li key={name}>
          <span class="grow">{shownText(name, 200)}</span>
          <meter
            min={0}
            max={Math.max(maximum ?? used + idle, 1)}
            value={used}
            aria-label={`${shownText(name, 100)}: used connections`}
          />
          <span class="number">
            {formatNumber(used)} used, {formatNumber(idle)} idle
            {maximum === undefined ? '' : ` of ${formatNumber(maximum)}`}
          </span>
          {waiting > 0 ? <Badge tone="warn">{formatNumber(waiting)} waiting</Badge> : null}
        </li>
      ))}
    </ul>
  )
}
