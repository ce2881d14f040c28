import { want, wantStatus } from '../answer.ts'
import { objectOf } from '../json.ts'
import { eventually, type Trial, timed, wantEqual, wantTimed } from './subject.ts'

/** The route template as recorded, or the constant in its place. */
const requests: readonly (readonly [what: string, method: string, target: string, path: string, rest: string])[] = [
  ['to a route', 'GET', '/orders/17?key=secret', '/orders/:id', 'GET 200 SUCCESS none'],
  ['that creates something', 'POST', '/orders/18', '/orders/:id', 'POST 201 SUCCESS none'],
  ['for the header section only', 'HEAD', '/orders/19', '/orders/:id', 'HEAD 200 SUCCESS none'],
  ['whose route throws', 'GET', '/fail/type', '/fail/type', 'GET 500 SERVER_ERROR TypeError'],
  ['rejected by an HttpError', 'GET', '/fail/conflict', '/fail/conflict', 'GET 409 CLIENT_ERROR HttpError'],
]

/** Requests that match no route. Whether their errors are observed depends on the framework. */
const astray: readonly (readonly [what: string, method: string, target: string, told: RegExp])[] = [
  ['to an unknown path', 'GET', '/wp-login.php', /^NOT_FOUND GET 404 CLIENT_ERROR (none|HttpError)$/],
  ['that is redirected', 'GET', '/moved', /^REDIRECTION GET 302 REDIRECTION none$/],
  ['with a custom method', 'PROPFIND', '/nowhere', /^NOT_FOUND UNKNOWN 404 CLIENT_ERROR (none|HttpError)$/],
]

export const observationTrials: readonly Trial[] = [
  ...requests.map(
    ([what, method, target, path, rest]): Trial => ({
      title: `a request ${what} is timed by its template`,
      async attempt(subject) {
        await subject.askFor(target, method === 'POST' ? { method, content: '' } : { method })
        await wantTimed(subject, `${subject.template(path)} ${rest}`)
      },
    }),
  ),
  ...astray.map(
    ([what, method, target, told]): Trial => ({
      title: `a request ${what} is timed without its path`,
      async attempt(subject) {
        const answer = await subject.askFor(target, { method })
        await eventually(
          subject,
          () => timed(subject).length === 1,
          'one request',
          () => timed(subject).join('\n'),
        )
        want(
          answer,
          told.test(timed(subject)[0] ?? ''),
          `a request recorded as ${told.source}`,
          timed(subject).join('\n'),
        )
      },
    }),
  ),
  {
    title: 'the full duration of a request is recorded, and no more',
    async attempt(subject) {
      const began = performance.now()
      const answer = await subject.askFor('/orders/22')
      await wantTimed(subject, `${subject.template('/orders/:id')} GET 200 SUCCESS none`)
      const most = (performance.now() - began) / 1_000
      let taken = 0
      for (const one of subject.management.meters.snapshot('http.server.requests'))
        if (one.kind === 'timer') taken += one.total
      want(answer, taken > 0 && taken < most, `a duration above 0 and below ${most} s`, `${taken} s`)
    },
  },
  {
    title: 'a request to the management is not counted as a request to the application',
    async attempt(subject) {
      wantStatus(await subject.ask('/health'), 200)
      wantStatus(await subject.ask('/nothing'), 404)
      await subject.askFor('/orders/25')
      await wantTimed(subject, `${subject.template('/orders/:id')} GET 200 SUCCESS none`)
    },
  },
  {
    title: 'recorded requests are available at the metrics endpoint',
    async attempt(subject) {
      await subject.askFor('/orders/30', { method: 'POST', content: '' })
      const uri = subject.template('/orders/:id')
      await wantTimed(subject, `${uri} POST 201 SUCCESS none`)
      const answer = await subject.ask(
        `/metrics/http.server.requests?tag=uri:${encodeURIComponent(uri)}&tag=status:201`,
      )
      const detail = objectOf(answer)
      wantEqual(
        answer,
        [detail['name'], detail['baseUnit'], statisticsOf(detail), detail['availableTags']],
        [
          'http.server.requests',
          'seconds',
          ['COUNT 1', 'TOTAL_TIME', 'MAX'],
          [
            { tag: 'error', values: ['none'] },
            { tag: 'exception', values: ['none'] },
            { tag: 'method', values: ['POST'] },
            { tag: 'outcome', values: ['SUCCESS'] },
          ],
        ],
      )
    },
  },
]

/** Measurements, with durations reduced to their presence. */
function statisticsOf({ measurements }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (!Array.isArray(measurements)) return []
  return measurements.map(({ statistic, value }) => (statistic === 'COUNT' ? `COUNT ${value}` : statistic))
}
