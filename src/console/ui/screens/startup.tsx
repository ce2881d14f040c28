import { useMemo } from 'preact/hooks'
import type { SpanFacts } from '../../documents.ts'
import { formatDate } from '../format.ts'
import { useDocument } from '../hooks.ts'
import { Waterfall } from '../waterfall.tsx'
import { Empty, Problem } from '../widgets.tsx'

/** What the endpoint `startup` returns. */
interface StartupDocument {
  readonly timeline: {
    readonly startTime: string
    readonly events: readonly {
      readonly startTime: string
      readonly endTime: string
      readonly startupStep: {
        readonly id: number
        readonly parentId?: number
        readonly name: string
        readonly tags: readonly { readonly key: string; readonly value: string }[]
      }
    }[]
  }
}

/** The steps of the start-up over time. */
export function Startup(props: { readonly path: string }) {
  const loaded = useDocument<StartupDocument>(props.path, 0)
  const timeline = loaded.data?.timeline
  const spans = useMemo(() => (timeline?.events ?? []).map(spanOf), [timeline])
  return (
    <>
      <Problem of={loaded} />
      {timeline === undefined ? null : <p class="quiet">Started at {formatDate(Date.parse(timeline.startTime))}.</p>}
      {timeline !== undefined && spans.length === 0 ? <Empty>No step was recorded.</Empty> : null}
      {spans.length === 0 ? null : <Waterfall spans={spans} />}
    </>
  )
}

function spanOf(event: StartupDocument['timeline']['events'][number]): SpanFacts {
  const { startTime, endTime, startupStep } = event
  const at = Date.parse(startTime)
  const { id, parentId, name, tags } = startupStep
  const detail = tags.find(({ key }) => key === 'name')?.value
  return {
    spanId: String(id),
    parentId: parentId === undefined ? undefined : String(parentId),
    name: detail === undefined ? name : `${name} ${detail}`,
    kind: 'internal',
    at,
    seconds: Math.max(0, Date.parse(endTime) - at) / 1_000,
    attributes: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
  }
}
