import type { DependencyFacts } from '../../documents.ts'
import { formatRate, formatSeconds, formatShare } from '../format.ts'
import { useLive } from '../hooks.ts'
import { shownText } from '../shown-text.ts'
import { Badge, Empty, type Tone } from '../widgets.tsx'

/** The busiest ones; the table has all. */
const maxTargets = 16

/** The service on the left, what it calls on the right. */
export function DependencyMap(props: { readonly outgoing: readonly DependencyFacts[] }) {
  const name = useLive().application?.name ?? 'this service'
  const targets = [...props.outgoing].sort((a, b) => b.rate - a.rate).slice(0, maxTargets)
  if (targets.length === 0) return <Empty>No call was observed.</Empty>
  const height = targets.length * 100
  const busiest = Math.max(...targets.map(({ rate }) => rate)) || 1
  return (
    <div class="map">
      <p class="node">{shownText(name, 60)}</p>
      <svg viewBox={`0 0 100 ${height}`} preserveAspectRatio="none" aria-hidden="true">
        {targets.map((target, index) => {
          const y = index * 100 + 50
          return (
            <path
              key={`${target.kind} ${target.target}`}
              class={`edge ${toneOfCalls(target)}`}
              d={`M 0 ${height / 2} C 50 ${height / 2} 50 ${y} 100 ${y}`}
              stroke-width={1 + 4 * Math.sqrt(target.rate / busiest)}
            />
          )
        })}
      </svg>
      <ul>
        {targets.map((target) => (
          <li key={`${target.kind} ${target.target}`}>
            <div class="node">
              <b>{shownText(target.target, 80)}</b> <span class="quiet">{shownText(target.kind, 20)}</span>
              <span class="figures">
                {formatRate(target.rate)}
                {target.meanSeconds === null ? '' : `, ${formatSeconds(target.meanSeconds)}`}{' '}
                {target.errorRate > 0 ? (
                  <Badge tone={toneOfCalls(target)}>{formatShare(target.errorRate / (target.rate || 1))} errors</Badge>
                ) : null}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

function toneOfCalls({ rate, errorRate }: DependencyFacts): Tone {
  if (rate === 0) return 'quiet'
  if (errorRate / rate > 0.05) return 'bad'
  return errorRate > 0 ? 'warn' : 'good'
}
