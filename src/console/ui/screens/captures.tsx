import { useEffect, useState } from 'preact/hooks'
import type { Capture, CapturesDocument } from '../capture-list.ts'
import { download } from '../download.ts'
import { FlameChart } from '../flame-chart.tsx'
import { formatBytes, formatDate } from '../format.ts'
import { useDocument, useRoute } from '../hooks.ts'
import { addressOf, request } from '../session.ts'
import { shownText } from '../shown-text.ts'
import { type Column, Table } from '../table.tsx'
import { Badge, Pairs, Problem } from '../widgets.tsx'

/** The captures of the flight recorder; a profile among them as a flame graph. The address may select one. */
export function Captures(props: { readonly path: string }) {
  const loaded = useDocument<CapturesDocument>(props.path, 15)
  const [opened, setOpened] = useState<{ readonly capture: Capture; readonly folded?: string }>()
  const [failure, setFailure] = useState('')
  const addressOfCapture = (id: string, format?: string) =>
    addressOf(`${props.path}/${encodeURIComponent(id.toWellFormed())}`, { format })
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work()
      setFailure('')
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  const open = (capture: Capture) =>
    attempt(async () => {
      if (capture.type === 'report') return setOpened({ capture })
      const response = await request(addressOfCapture(capture.id, 'folded'))
      setOpened({ capture, folded: await response.text() })
    })
  const selected = useRoute().params.get('capture')?.[0]
  const linked = loaded.data?.captures.find(({ id }) => id === selected)
  useEffect(() => {
    if (linked !== undefined) void open(linked)
  }, [linked?.id])
  const save = ({ id, type }: Capture) =>
    attempt(() =>
      type === 'report'
        ? download(addressOfCapture(id), `${id}.json`)
        : download(addressOfCapture(id, 'cpuprofile'), `${id}.${type === 'heap' ? 'heapprofile' : 'cpuprofile'}`),
    )
  const columns: readonly Column<Capture>[] = [
    { name: 'time', title: 'Time', cell: ({ time }) => formatDate(Date.parse(time)) },
    { name: 'rule', title: 'Rule', cell: ({ rule }) => shownText(rule, 60) },
    { name: 'reason', title: 'Reason', isWide: true, cell: ({ reason }) => shownText(reason, 300) },
    { name: 'bytes', title: 'Size', isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
    {
      name: 'show',
      title: 'Show',
      cell: (capture) => (
        <button type="button" class="plain" onClick={() => open(capture)}>
          {capture.type === 'report' ? 'Details' : 'Flame graph'}
          <span class="hidden"> of {capture.id}</span>
        </button>
      ),
    },
    {
      name: 'save',
      title: 'Save',
      cell: (capture) => (
        <button type="button" class="plain" onClick={() => save(capture)}>
          Download<span class="hidden"> {capture.id}</span>
        </button>
      ),
    },
  ]
  const { data } = loaded
  return (
    <>
      <Problem of={loaded} />
      {data === undefined ? null : (
        <>
          <Table
            label="Captures"
            rows={data.captures}
            columns={columns}
            keyOf={({ id }) => id}
            isSelected={({ id }) => id === opened?.capture.id}
            height={8}
            empty="Nothing was captured."
          />
          {data.suppressed + data.dropped === 0 ? null : (
            <p class="quiet">
              {data.suppressed} suppressed, {data.dropped} dropped
            </p>
          )}
        </>
      )}
      {loaded.data === undefined || selected === undefined || linked !== undefined ? null : (
        <p class="quiet">The capture {shownText(selected, 60)} is not kept any more.</p>
      )}
      <p role="status">{failure === '' ? null : <Badge tone="bad">{shownText(failure)}</Badge>}</p>
      {opened === undefined ? null : (
        <section class="detail" aria-label="Opened capture">
          <h3>{shownText(opened.capture.reason)}</h3>
          <Pairs of={opened.capture.details ?? {}} />
          {opened.folded === undefined ? null : (
            <FlameChart folded={opened.folded} unit={opened.capture.type === 'heap' ? 'bytes' : 'microseconds'} />
          )}
        </section>
      )}
    </>
  )
}
