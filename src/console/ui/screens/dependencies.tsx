import type { CacheFacts, DependenciesDocument, DependencyFacts, TaskFacts } from '../../documents.ts'
import { formatNumber, formatRate, formatSeconds, formatShare } from '../format.ts'
import { useDocument, useLive } from '../hooks.ts'
import { shownText } from '../shown-text.ts'
import { type Column, Table } from '../table.tsx'
import { Badge, Card, Problem } from '../widgets.tsx'
import { DependencyMap } from './dependency-map.tsx'
import { Pools } from './pools.tsx'
import { ScheduledTasks } from './scheduled-tasks.tsx'

/** What the service calls, and what it does by itself. */
export function Dependencies() {
  const loaded = useDocument<DependenciesDocument>('dependencies', 3)
  const links = useLive().overview?.links
  const { data } = loaded
  return (
    <>
      <Problem of={loaded} />
      {data === undefined ? null : (
        <>
          <Card title="Calls in the last minute" wide>
            <DependencyMap outgoing={data.outgoing} />
          </Card>
          <Card title="Outgoing calls since the start" wide>
            <Table
              label="Outgoing calls"
              rows={data.outgoing}
              columns={outgoingColumns}
              keyOf={({ kind, target }) => `${kind} ${target}`}
              sortedBy={{ column: 'rate', isAscending: false }}
              empty="No call was observed."
            />
          </Card>
          <div class="columns">
            <Card title="Pools">
              <Pools pools={data.pools} />
            </Card>
            <Card title="Caches">
              <Table
                label="Caches"
                rows={data.caches}
                columns={cacheColumns}
                keyOf={({ name }) => name}
                empty="No cache is known."
              />
            </Card>
          </div>
          <Card title="Tasks since the start" wide>
            <Table
              label="Tasks"
              rows={data.tasks}
              columns={taskColumns}
              keyOf={({ name }) => name}
              empty="No task has run."
            />
          </Card>
          {data.omitted === 0 ? null : (
            <p class="quiet">{formatNumber(data.omitted)} more pools, caches and tasks are not listed.</p>
          )}
        </>
      )}
      {links === undefined ? null : <ScheduledTasks path={links['scheduledtasks']} />}
    </>
  )
}

const number = <Row,>(
  name: string,
  title: string,
  read: (row: Row) => number | null | undefined,
  format: (value: number | null | undefined) => string = formatNumber,
): Column<Row> => ({
  name,
  title,
  isNumber: true,
  sort: (row) => read(row) ?? null,
  cell: (row) => format(read(row)),
})

const outgoingColumns: readonly Column<DependencyFacts>[] = [
  { name: 'kind', title: 'Kind', sort: ({ kind }) => kind, cell: ({ kind }) => shownText(kind, 30) },
  {
    name: 'target',
    title: 'Target',
    isWide: true,
    sort: ({ target }) => target,
    cell: ({ target }) => shownText(target, 300),
  },
  number('rate', 'Rate', ({ rate }) => rate, formatRate),
  number('errorRate', 'Errors now', ({ errorRate }) => errorRate, formatRate),
  number('calls', 'Calls', ({ calls }) => calls),
  {
    name: 'errors',
    title: 'Errors',
    isNumber: true,
    sort: ({ errors }) => errors,
    cell: ({ errors, calls }) =>
      errors === 0 ? '0' : <Badge tone="bad">{`${formatNumber(errors)} (${formatShare(errors / calls)})`}</Badge>,
  },
  number('mean', 'Mean', ({ meanSeconds }) => meanSeconds, formatSeconds),
  number('maximum', 'Max', ({ maximumSeconds }) => maximumSeconds, formatSeconds),
]

const cacheColumns: readonly Column<CacheFacts>[] = [
  { name: 'name', title: 'Cache', isWide: true, sort: ({ name }) => name, cell: ({ name }) => shownText(name, 200) },
  number('ratio', 'Hits', ({ hits, misses }) => (hits + misses === 0 ? null : hits / (hits + misses)), formatShare),
  number('gets', 'Reads', ({ hits, misses }) => hits + misses),
  number('size', 'Size', ({ size }) => size),
]

const taskColumns: readonly Column<TaskFacts>[] = [
  { name: 'name', title: 'Task', isWide: true, sort: ({ name }) => name, cell: ({ name }) => shownText(name, 200) },
  number('runs', 'Runs', ({ runs }) => runs),
  {
    name: 'failures',
    title: 'Failures',
    isNumber: true,
    sort: ({ failures }) => failures,
    cell: ({ failures }) => (failures === 0 ? '0' : <Badge tone="bad">{formatNumber(failures)}</Badge>),
  },
  number('mean', 'Mean', ({ meanSeconds }) => meanSeconds, formatSeconds),
  number('maximum', 'Max', ({ maximumSeconds }) => maximumSeconds, formatSeconds),
]
