import { useMemo, useState } from 'preact/hooks'
import type { LogFacts } from '../documents.ts'
import { formatDate, formatExactTime, formatNumber } from './format.ts'
import { linkTo } from './hooks.ts'
import { withMember } from './members.tsx'
import { shownLines, shownText } from './shown-text.ts'
import { type Column, Table } from './table.tsx'
import type { TailRecord } from './tail-records.ts'
import { Badge, Pairs, type Tone } from './widgets.tsx'

/** Log records, one line each; a selected one is shown completely. */
export function LogLines(props: {
  readonly records: readonly TailRecord[]
  readonly empty: string
  readonly height?: number
}) {
  const [selected, setSelected] = useState<LogFacts>()
  const columns: readonly Column<TailRecord>[] = useMemo(
    () => [
      {
        name: 'at',
        title: 'Time',
        cell: (record) => (
          <button type="button" class="plain" onClick={() => setSelected(record)}>
            {formatExactTime(record.at)}
          </button>
        ),
      },
      {
        name: 'level',
        title: 'Level',
        cell: ({ level, severity }) => <Badge tone={toneOfLevel(severity)}>{shownText(level, 20)}</Badge>,
      },
      { name: 'logger', title: 'Logger', cell: ({ logger }) => shownText(logger, 80) },
      {
        name: 'message',
        title: 'Message',
        isWide: true,
        cell: ({ message, error, omitted }) => (
          <>
            {omitted === undefined ? null : <Badge tone="warn">{formatNumber(omitted)} before it not shown</Badge>}{' '}
            {shownText(error === undefined ? message : `${message} ${error.type ?? ''} ${error.message ?? ''}`, 400)}
          </>
        ),
      },
    ],
    [],
  )
  return (
    <>
      <Table
        label="Log records"
        rows={props.records}
        columns={withMember(columns, props.records)}
        keyOf={({ sequence }) => String(sequence)}
        isSelected={({ sequence }) => sequence === selected?.sequence}
        height={props.height ?? 14}
        empty={props.empty}
      />
      {selected === undefined ? null : <Selected record={selected} onClose={() => setSelected(undefined)} />}
    </>
  )
}

function Selected(props: { readonly record: LogFacts; readonly onClose: () => void }) {
  const { at, level, logger, message, traceId, spanId, error, attributes } = props.record
  return (
    <section class="detail" aria-label="Selected record" aria-live="polite">
      <header class="card-head">
        <h3>
          {shownText(level, 20)} of {shownText(logger, 200)} at {formatDate(at)}
        </h3>
        <button type="button" onClick={props.onClose}>
          Close
        </button>
      </header>
      <pre>{shownLines(message)}</pre>
      {error === undefined ? null : (
        <pre>{shownLines(error.stack ?? `${error.type ?? 'Error'}: ${error.message ?? ''}`)}</pre>
      )}
      {traceId === undefined ? null : (
        <p>
          Trace <a href={linkTo('logs', { trace: traceId })}>{shownText(traceId, 100)}</a>, span{' '}
          {shownText(spanId ?? 'none', 100)}
        </p>
      )}
      <Pairs of={attributes} />
    </section>
  )
}

/** Returns how a level is shown, by the number of OpenTelemetry. */
function toneOfLevel(severity: number): Tone {
  if (severity >= 17) return 'bad'
  if (severity >= 13) return 'warn'
  return severity >= 9 ? 'good' : 'quiet'
}
