import type { ComponentChildren } from 'preact'
import { formatSeconds } from './format.ts'
import type { Loaded } from './hooks.ts'
import { requestedPause } from './retry-delays.ts'
import { shownLines, shownText } from './shown-text.ts'

/** A section of a screen with a heading. */
export function Card(props: {
  readonly title: string
  readonly wide?: boolean
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class={props.wide ? 'card wide' : 'card'} aria-label={props.title}>
      <header class="card-head">
        <h2>{props.title}</h2>
        {props.actions}
      </header>
      {props.children}
    </section>
  )
}

/** A value with its name, such as `p99 120 ms`. */
export function Stat(props: {
  readonly name: string
  readonly value: ComponentChildren
  readonly note?: ComponentChildren
  readonly tone?: Tone | undefined
}) {
  return (
    <div class="stat">
      <dt>{props.name}</dt>
      <dd>
        <span class={props.tone ? `value ${props.tone}` : 'value'}>{props.value}</span>
        {props.note === undefined ? null : <small>{props.note}</small>}
      </dd>
    </div>
  )
}

export type Tone = 'good' | 'warn' | 'bad' | 'quiet'

const symbols: Readonly<Record<Tone, string>> = { good: '●', warn: '▲', bad: '■', quiet: '○' }

/** Returns how a health status is shown. */
export function toneOf(status: string): Tone {
  if (/^(?:UP|CORRECT|ACCEPTING_TRAFFIC)$/.test(status)) return 'good'
  if (/^(?:DOWN|OUT_OF_SERVICE|BROKEN)$/.test(status)) return 'bad'
  return status === 'UNKNOWN' ? 'quiet' : 'warn'
}

/** Returns how a status of HTTP is shown. */
export function toneOfHttp(status: number): Tone {
  if (status === 0 || status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}

/** A status by colour, shape and text. */
export function Badge(props: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <span class={`badge ${props.tone}`}>
      <span aria-hidden="true">{symbols[props.tone]}</span> {props.children}
    </span>
  )
}

export function Status(props: { readonly status: string }) {
  return <Badge tone={toneOf(props.status)}>{shownText(props.status, 100)}</Badge>
}

/** Why a document is not shown, or is not the latest one. */
export function Problem(props: { readonly of: Pick<Loaded<unknown>, 'error' | 'data'> }) {
  const { error, data } = props.of
  const pause = requestedPause(error)
  if (error !== undefined) {
    return (
      <p class="problem" role="alert">
        <Badge tone="bad">{shownText(error.message)}</Badge>
        {pause === 0 ? null : ` The service requests a pause of ${formatSeconds(pause / 1_000)}.`}
        {data === undefined ? null : ' Shown is what was read before.'}
      </p>
    )
  }
  return data === undefined ? <p class="quiet">Loading…</p> : null
}

/** Names the option that exposes an endpoint. */
export function NotExposed(props: { readonly endpoint: string }) {
  return (
    <p class="quiet">
      Not exposed, or not available. To see it here: <code>{`expose: [..., '${props.endpoint}']`}</code>
    </p>
  )
}

export function Empty(props: { readonly children: ComponentChildren }) {
  return <p class="quiet">{props.children}</p>
}

/** Pairs of names and values, such as details or attributes. */
export function Pairs(props: { readonly of: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(props.of).slice(0, 200)
  if (entries.length === 0) return null
  return (
    <dl class="pairs">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{shownText(name, 300)}</dt>
          <dd>{typeof value === 'object' && value !== null ? <Nested value={value} /> : shownText(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** JSON as it is; nested pairs would need more space than they explain. */
function Nested(props: { readonly value: object }) {
  const text = JSON.stringify(props.value, null, 1)
  return text.length < 80 ? <code>{shownText(JSON.stringify(props.value))}</code> : <pre>{shownLines(text)}</pre>
}
