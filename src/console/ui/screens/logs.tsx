import { useState } from 'preact/hooks'
import { formatNumber } from '../format.ts'
import { formatHash } from '../hash-route.ts'
import { navigate, useRoute } from '../hooks.ts'
import { LogLines } from '../log-lines.tsx'
import { useLogTail } from '../use-log-tail.ts'
import { Card, Problem } from '../widgets.tsx'
import { LoggerLevels } from './logger-levels.tsx'

const levels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const

/** The latest log records, and the levels of the loggers. */
export function Logs() {
  const { params } = useRoute()
  const param = (name: string) => params.get(name)?.[0] ?? ''
  const filter = { level: param('level'), logger: param('logger'), text: param('text'), trace: param('trace') }
  const [isPaused, setPaused] = useState(false)
  const tail = useLogTail(filter, isPaused)
  const set = (changes: Partial<typeof filter>) =>
    navigate(formatHash('logs', { member: params.get('member'), ...filter, ...changes }), 'replace')
  return (
    <>
      <div class="filters">
        <label class="field">
          <span>From level</span>
          <select value={filter.level} onChange={(event) => set({ level: event.currentTarget.value })}>
            <option value="">all</option>
            {levels.map((level) => (
              <option key={level} value={level}>
                {level}
              </option>
            ))}
          </select>
        </label>
        <Filter label="Logger" value={filter.logger} onChange={(logger) => set({ logger })} />
        <Filter label="Text" value={filter.text} onChange={(text) => set({ text })} />
        <Filter label="Trace" value={filter.trace} onChange={(trace) => set({ trace })} />
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Continue' : 'Pause'}
        </button>
      </div>
      <Problem of={tail} />
      {tail.data === undefined ? null : (
        <Card title="Records" wide>
          <LogLines records={tail.records} empty="No record matches." height={20} />
          <p class="quiet">
            {formatNumber(tail.records.length)} records, the latest first.{' '}
            {tail.dropped > 0 ? `${formatNumber(tail.dropped)} older ones were dropped by the service.` : ''}
          </p>
        </Card>
      )}
      <LoggerLevels />
    </>
  )
}

/** A filter that is applied when the input is left, or by Enter. */
function Filter(props: { readonly label: string; readonly value: string; readonly onChange: (value: string) => void }) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <input type="search" value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)} />
    </label>
  )
}
