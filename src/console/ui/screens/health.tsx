import { useEffect } from 'preact/hooks'
import type { HealthDocument, HealthNode } from '../../documents.ts'
import { formatAgo, formatDate, formatSeconds, formatTime } from '../format.ts'
import { segmentsOf } from '../health-strip.ts'
import { linkTo, useDocument, useRoute } from '../hooks.ts'
import { shownText } from '../shown-text.ts'
import { Card, Empty, Pairs, Problem, Status, toneOf } from '../widgets.tsx'

/** More components are not shown. */
const maxRows = 500

/** The components with their details, their history of an hour, and why they are not up. */
export function Health() {
  const loaded = useDocument<HealthDocument>('health', 5, 'health?check=now')
  const { data, isLoading, reload } = loaded
  const wanted = useRoute().params.get('component')?.[0]
  useEffect(() => {
    if (data !== undefined && wanted !== undefined) document.getElementById(idOf(wanted))?.scrollIntoView()
    // Once, when the components are there.
  }, [data === undefined, wanted])
  return (
    <>
      <div class="filters">
        <button type="button" onClick={reload} aria-disabled={isLoading}>
          Check now
        </button>
        <span class="quiet" role="status">
          {isLoading ? 'Checking…' : data === undefined ? '' : `Read at ${formatTime(data.now)}.`}
        </span>
      </div>
      <Problem of={loaded} />
      {data === undefined ? null : (
        <>
          <Card title="Components" wide>
            <ul class="tree">
              {flatten(data.root).map(({ node, depth }) => (
                <Component key={node.path} node={node} depth={depth} document={data} isWanted={node.path === wanted} />
              ))}
            </ul>
          </Card>
          <div class="columns">
            <Card title="Groups">
              <Groups groups={data.groups} />
            </Card>
            <Card title="Changes of the last hour">
              <Changes document={data} />
            </Card>
          </div>
        </>
      )}
    </>
  )
}

function Component(props: {
  readonly node: HealthNode
  readonly depth: number
  readonly document: HealthDocument
  readonly isWanted: boolean
}) {
  const { node, depth, document } = props
  const { path, status, since, description, details = {}, check } = node
  const name = path === '' ? 'The whole service' : shownText(path, 300)
  const change = document.changes.find((each) => each.path === path && each.to === status)
  const reason = change?.reason ?? details['error']
  const isDown = toneOf(status) === 'bad'
  const hasDetails = Object.keys(details).length > 0
  return (
    <li id={idOf(path)} class={props.isWanted ? 'wanted' : undefined} style={{ marginLeft: `${Math.min(depth, 8)}em` }}>
      <p class="headline">
        <Status status={status} /> <b>{name}</b>
        {description === undefined ? null : <span>{shownText(description, 500)}</span>}
        {since === undefined ? null : (
          <span class="quiet" title={formatDate(since)}>
            for {formatSeconds(Math.max(0, Math.round((document.now - since) / 1_000)))}
          </span>
        )}
        {check === undefined ? null : (
          <span class="quiet">
            checked in {formatSeconds(check.seconds)}, {formatAgo(check.at, document.now)}
          </span>
        )}
      </p>
      {isDown && reason !== undefined ? (
        <p class="reason">
          {status} {since === undefined ? '' : `since ${formatTime(since)}`}: {shownText(reason)}
        </p>
      ) : null}
      <Strip name={name} node={node} document={document} />
      {hasDetails ? (
        <details open={props.isWanted || isDown}>
          <summary>Details of {name}</summary>
          <Pairs of={details} />
        </details>
      ) : null}
    </li>
  )
}

/** The statuses of the last hour from left to right. */
function Strip(props: { readonly name: string; readonly node: HealthNode; readonly document: HealthDocument }) {
  const { changes, now } = props.document
  const segments = segmentsOf(changes, props.node.path, props.node.status, now)
  const begin = segments[0]?.from ?? now
  const whole = now - begin || 1
  const text = segments
    .slice(-6)
    .map(({ status, from, to }) => `${status} for ${formatSeconds(Math.round((to - from) / 1_000))}`)
    .join(', ')
  return (
    <svg
      class="strip"
      viewBox="0 0 600 10"
      preserveAspectRatio="none"
      role="img"
      aria-label={shownText(`The last hour of ${props.name}: ${text}`, 500)}
    >
      {segments.map(({ from, to, status }) => (
        <rect
          key={from}
          class={`fill-${toneOf(status)}`}
          x={((from - begin) / whole) * 600}
          y={toneOf(status) === 'good' ? 4 : 0}
          width={Math.max(1, ((to - from) / whole) * 600)}
          height={toneOf(status) === 'good' ? 6 : 10}
        />
      ))}
    </svg>
  )
}

function Groups(props: { readonly groups: HealthDocument['groups'] }) {
  const groups = Object.entries(props.groups)
  if (groups.length === 0) return <Empty>There are no groups.</Empty>
  return (
    <ul class="rows">
      {groups.map(([name, status]) => (
        <li key={name}>
          <span>{shownText(name, 200)}</span> <Status status={status} />
        </li>
      ))}
    </ul>
  )
}

function Changes(props: { readonly document: HealthDocument }) {
  const { changes } = props.document
  if (changes.length === 0) return <Empty>Nothing changed.</Empty>
  return (
    <ol class="rows">
      {changes.slice(0, 200).map(({ at, path, from, to, reason }) => (
        <li key={`${at} ${path}`}>
          <span>{formatTime(at)}</span>
          <a class="grow" href={linkTo('health', { component: path })}>
            {path === '' ? 'The whole service' : shownText(path, 200)}
          </a>
          <span>
            <Status status={from} /> → <Status status={to} />
          </span>
          {reason === undefined ? null : <span class="quiet">{shownText(reason, 500)}</span>}
        </li>
      ))}
    </ol>
  )
}

function idOf(path: string): string {
  return `component-${path}`
}

/** Returns the components in the order of the tree. */
function flatten(root: HealthNode): readonly { readonly node: HealthNode; readonly depth: number }[] {
  const rows: { node: HealthNode; depth: number }[] = []
  const pending = [{ node: root, depth: 0 }]
  for (let next = pending.pop(); next !== undefined && rows.length < maxRows; next = pending.pop()) {
    rows.push(next)
    const { depth, node } = next
    for (const child of [...node.components].reverse()) pending.push({ node: child, depth: depth + 1 })
  }
  return rows
}
