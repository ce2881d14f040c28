import type { RequestDocument, RequestFacts } from '../../documents.ts'
import { type CapturesDocument, capturesOf } from '../capture-list.ts'
import { formatDate, formatSeconds } from '../format.ts'
import { linkTo, useDocument, useLive } from '../hooks.ts'
import { LogLines } from '../log-lines.tsx'
import { shownLines, shownText } from '../shown-text.ts'
import { Waterfall } from '../waterfall.tsx'
import { Badge, Card, Empty, Problem, toneOfHttp } from '../widgets.tsx'

/** One request: its waterfall, its error, and the log records of its trace. */
export function RequestDetail(props: { readonly id: string }) {
  const loaded = useDocument<RequestDocument>(`requests/${encodeURIComponent(props.id.toWellFormed())}`, 0)
  const { data } = loaded
  return (
    <>
      <p class="back">
        <a href={linkTo('requests')}>All requests</a>
      </p>
      <Problem of={loaded} />
      {data === undefined ? null : <Found document={data} />}
    </>
  )
}

function Found(props: { readonly document: RequestDocument }) {
  const { request, spans, withoutSpans, logs } = props.document
  const { error, errorMessage, errorStack, traceId } = request
  return (
    <>
      <Card title="Request" wide>
        <p class="headline">
          <Badge tone={toneOfHttp(request.status)}>{request.status || 'cut off'}</Badge>
          <b>{shownText(request.method, 20)}</b> <code>{shownText(request.path)}</code>
          <span>{formatSeconds(request.seconds)}</span>
          {request.isAborted ? <Badge tone="warn">the client disconnected</Badge> : null}
        </p>
        <dl class="pairs">
          <div>
            <dt>Began</dt>
            <dd>{formatDate(request.at)}</dd>
          </div>
          <div>
            <dt>Route</dt>
            <dd>
              {request.route === undefined ? (
                'none'
              ) : (
                <a href={linkTo('requests', { route: request.route, method: request.method })}>
                  {shownText(request.route)}
                </a>
              )}
            </dd>
          </div>
          <div>
            <dt>Trace</dt>
            <dd>
              {traceId === undefined ? 'none' : <a href={linkTo('logs', { trace: traceId })}>{shownText(traceId)}</a>}
            </dd>
          </div>
        </dl>
      </Card>
      {error === undefined ? null : (
        <Card title="Error" wide>
          <p>
            <Badge tone="bad">{shownText(error, 200)}</Badge> {shownText(errorMessage ?? '')}
          </p>
          {errorStack === undefined ? null : <pre>{shownLines(errorStack)}</pre>}
        </Card>
      )}
      <RequestCaptures request={request} />
      <Card title="Waterfall" wide>
        {spans.length === 0 ? (
          <Empty>{shownText(withoutSpans ?? 'No span was recorded.')}</Empty>
        ) : (
          <Waterfall spans={spans} />
        )}
      </Card>
      <Card title="Log records" wide>
        <LogLines records={logs} empty="No log record has the id of this trace." />
      </Card>
    </>
  )
}

/** What the flight recorder has captured of a request, if it has. */
function RequestCaptures(props: { readonly request: RequestFacts }) {
  const { data } = useDocument<CapturesDocument>(useLive().overview?.links['captures'], 0)
  const captures = capturesOf(data?.captures ?? [], props.request)
  if (captures.length === 0) return null
  return (
    <Card title="Captures of the flight recorder" wide>
      <ul class="rows">
        {captures.map(({ id, reason, type }) => (
          <li key={id}>
            <a href={linkTo('diagnostics', { capture: id })}>{shownText(reason)}</a>
            <span class="quiet">{type === 'report' ? 'report' : 'profile'}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
