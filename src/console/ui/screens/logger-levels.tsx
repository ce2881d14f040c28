import { useMemo, useState } from 'preact/hooks'
import { formatTime } from '../format.ts'
import { useDocument, useLive } from '../hooks.ts'
import { OfResponder } from '../members.tsx'
import { addressOf, request } from '../session.ts'
import { shownText } from '../shown-text.ts'
import { type Column, Table } from '../table.tsx'
import { Card, NotExposed, Problem } from '../widgets.tsx'

/** What the endpoint `loggers` returns. */
interface LoggersDocument {
  readonly levels: readonly string[]
  readonly loggers: Readonly<Record<string, LoggerFacts>>
}

interface LoggerFacts {
  readonly configuredLevel?: string
  readonly effectiveLevel: string
  readonly revertsAt?: string
}

/** The levels of the loggers, each of which can be changed for a quarter of an hour. */
export function LoggerLevels() {
  const path = useLive().overview?.links['loggers']
  if (path === undefined) {
    return (
      <Card title="Levels" wide>
        <NotExposed endpoint="loggers" />
      </Card>
    )
  }
  return <Levels path={path} />
}

function Levels(props: { readonly path: string }) {
  const loaded = useDocument<LoggersDocument>(props.path, 15)
  const [outcome, setOutcome] = useState('')
  const { data, reload } = loaded
  const rows = useMemo(() => Object.entries(data?.loggers ?? {}).map(([name, facts]) => ({ name, ...facts })), [data])
  const change = async (name: string, level: string) => {
    try {
      const address = addressOf(`${props.path}/${encodeURIComponent(name.toWellFormed())}`)
      const body = JSON.stringify(level === '' ? { configuredLevel: null } : { configuredLevel: level, for: '15m' })
      await request(address, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
      setOutcome(level === '' ? `${name} has its inherited level.` : `${name} has the level ${level} for 15 minutes.`)
    } catch (error) {
      setOutcome(`${name} was not changed: ${error instanceof Error ? error.message : error}`)
    }
    reload()
  }
  const columns: readonly Column<LoggerFacts & { readonly name: string }>[] = [
    { name: 'name', title: 'Logger', isWide: true, sort: ({ name }) => name, cell: ({ name }) => shownText(name, 200) },
    { name: 'effective', title: 'Level', cell: ({ effectiveLevel }) => shownText(effectiveLevel, 20) },
    {
      name: 'reverts',
      title: 'Until',
      cell: ({ revertsAt }) => (revertsAt === undefined ? '' : formatTime(Date.parse(revertsAt))),
    },
    {
      name: 'change',
      title: 'For 15 minutes',
      cell: ({ name, configuredLevel }) => (
        <select
          aria-label={`Level of ${shownText(name, 200)} for 15 minutes`}
          value={configuredLevel ?? ''}
          onChange={(event) => change(name, event.currentTarget.value)}
        >
          <option value="">inherited</option>
          {(data?.levels ?? []).map((level) => (
            <option key={level} value={level}>
              {shownText(level, 20)}
            </option>
          ))}
        </select>
      ),
    },
  ]
  return (
    <Card title="Levels" wide>
      <OfResponder />
      <Problem of={loaded} />
      {data === undefined ? null : <Table label="Loggers" rows={rows} columns={columns} keyOf={({ name }) => name} />}
      <p role="status" class="quiet">
        {shownText(outcome)}
      </p>
    </Card>
  )
}
