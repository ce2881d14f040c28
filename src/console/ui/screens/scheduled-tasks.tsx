import { useMemo } from 'preact/hooks'
import { formatDate, formatSeconds } from '../format.ts'
import { useDocument } from '../hooks.ts'
import { OfResponder } from '../members.tsx'
import { shownText } from '../shown-text.ts'
import { type Column, Table } from '../table.tsx'
import { Badge, Card, NotExposed, Problem } from '../widgets.tsx'

/** A task in what the endpoint `scheduledtasks` returns, by the kind of its trigger. */
interface TaskEntry {
  readonly runnable: { readonly target: string }
  readonly expression?: string
  readonly trigger?: string
  readonly interval?: number
  readonly nextExecution?: { readonly time: string }
  readonly lastExecution?: {
    readonly status: string
    readonly time: string
    readonly exception?: { readonly type?: string; readonly message?: string }
  }
  readonly running: number
  readonly late: boolean
}

type TaskRow = TaskEntry & { readonly kind: string; readonly key: string }

const columns: readonly Column<TaskRow>[] = [
  {
    name: 'name',
    title: 'Task',
    sort: ({ runnable }) => runnable.target,
    cell: ({ runnable }) => shownText(runnable.target, 200),
  },
  { name: 'trigger', title: 'Trigger', cell: (row) => shownText(triggerOf(row), 100) },
  {
    name: 'state',
    title: 'State',
    cell: ({ running, late }) =>
      late ? <Badge tone="warn">late</Badge> : running > 0 ? <Badge tone="good">{running} running</Badge> : 'waiting',
  },
  {
    name: 'last',
    title: 'Last run',
    cell: ({ lastExecution }) =>
      lastExecution === undefined ? (
        'none'
      ) : (
        <>
          {formatDate(Date.parse(lastExecution.time))}{' '}
          <Badge tone={lastExecution.status === 'ERROR' ? 'bad' : 'good'}>{shownText(lastExecution.status, 20)}</Badge>
        </>
      ),
  },
  {
    name: 'next',
    title: 'Next run',
    cell: ({ nextExecution }) => (nextExecution === undefined ? '' : formatDate(Date.parse(nextExecution.time))),
  },
  {
    name: 'error',
    title: 'Error',
    isWide: true,
    cell: ({ lastExecution }) => {
      const { type, message } = lastExecution?.exception ?? {}
      return type === undefined && message === undefined ? '' : shownText(`${type ?? 'Error'}: ${message ?? ''}`, 300)
    },
  },
]

/** The scheduled tasks with their last and their next run. */
export function ScheduledTasks(props: { readonly path: string | undefined }) {
  const loaded = useDocument<Readonly<Record<string, readonly TaskEntry[]>>>(props.path, 5)
  const rows = useMemo(
    () =>
      Object.entries(loaded.data ?? {}).flatMap(([kind, tasks]) =>
        tasks.map((task, index): TaskRow => ({ ...task, kind, key: `${kind} ${index}` })),
      ),
    [loaded.data],
  )
  return (
    <Card title="Scheduled tasks" wide>
      <OfResponder />
      {props.path === undefined ? <NotExposed endpoint="scheduledtasks" /> : <Problem of={loaded} />}
      {loaded.data === undefined ? null : (
        <Table
          label="Scheduled tasks"
          rows={rows}
          columns={columns}
          keyOf={({ key }) => key}
          empty="No task is scheduled."
        />
      )}
    </Card>
  )
}

function triggerOf({ kind, expression, trigger, interval }: TaskRow): string {
  if (interval === undefined) return expression ?? trigger ?? kind
  return `every ${formatSeconds(interval / 1_000)}${kind === 'fixedDelay' ? ' after the last' : ''}`
}
