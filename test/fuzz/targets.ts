import type { IncomingMessage } from 'node:http'
import { basicAuth, createManagement, HttpError } from 'upkeep'
import {
  formatBaggage,
  formatTracestate,
  isUuid,
  parseBaggage,
  parseTraceparent,
  parseTracestate,
  parseUuid,
  requestId,
} from 'upkeep/ids'
import { createLogger } from 'upkeep/logging'
import { toManagementRequest } from 'upkeep/node'
import { parseJson, requestTypeOf } from 'upkeep/rest'
import { expect } from 'vitest'
import { parseMultipart, payloadOfForm } from '../../examples/webhook-receiver/messages/parse-form.ts'
import { parseJson as parseMessageJson } from '../../examples/webhook-receiver/messages/parse-json.ts'
import { parseDuration } from '../../src/base/duration.ts'
import { describeError } from '../../src/base/error-text.ts'
import { createStatusReader } from '../../src/cli/probe.ts'
import { readPage } from '../../src/contract/exposition/page.ts'
import { readResponse } from '../../src/contract/http-client/response.ts'
import { preferredCoding } from '../../src/http/conventions/content-coding.ts'
import { parseFieldSelection } from '../../src/http/conventions/field-selection.ts'
import { acceptOf, preferredMediaType } from '../../src/http/conventions/negotiate.ts'
import { evaluatePreconditions } from '../../src/http/conventions/preconditions.ts'
import { selectRange } from '../../src/http/conventions/ranges.ts'
import { pathBelow, pathOf, queryOf, segmentsOf } from '../../src/http/conventions/target.ts'
import { parseAuthorization } from '../../src/http/fields/authorization.ts'
import { parseEntityTags } from '../../src/http/fields/entity-tag.ts'
import { parseHttpDate } from '../../src/http/fields/http-date.ts'
import { firstMembers, parseList } from '../../src/http/fields/list.ts'
import { parseMediaType } from '../../src/http/fields/media-type.ts'
import { sqlOperation, sqlSummary, sqlText } from '../../src/instrumentation/database/sql/sql-span.ts'
import { recordedUrl } from '../../src/instrumentation/http-client/outgoing-request.ts'
import { readPartialSuccess } from '../../src/otlp/delivery/receiver-response.ts'
import { parsePage } from '../../src/rest/archetypes/page.ts'

/** A parser of what a peer sends, and what holds for whatever it is given. */
export interface Target {
  readonly name: string
  /** Texts that it is made for: others are made of them. They are kept here when a run has found something. */
  readonly seeds: readonly string[]
  /** Parses a text and expects of the result what must hold. Throws for nothing else. */
  readonly parse: (text: string) => unknown
  /** Whether its time is not looked at: it is bounded by a cut, or it is not done in one go. */
  readonly isUntimed?: boolean
}

/** Lets pass an error that is documented: one of 4xx, with a short detail. */
function orClientError(parse: () => unknown): void {
  try {
    parse()
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    expect(error.status).toBeGreaterThanOrEqual(400)
    expect(error.status).toBeLessThan(500)
    expect(error.message.length).toBeLessThan(500)
  }
}

const validators = { entityTags: [{ weak: false, opaque: 'a' }], lastModified: 1_000_000 }

const management = createManagement({
  application: { name: 'fuzz' },
  expose: ['health', 'info', 'metrics', 'prometheus', 'loggers', 'tracing'],
  loggers: createLogger({ application: { name: 'fuzz' }, write: () => {} }).loggers,
  authorize: basicAuth({ username: 'a', password: 'b' }),
  tracing: true,
  report: () => {},
})

async function request(target: string, headers: Readonly<Record<string, string>>, method = 'GET', content = '') {
  async function* bytes() {
    yield Buffer.from(content)
  }
  const body = () => ({ kind: 'bytes', bytes: bytes() }) as const
  const response = await management({ method, target, headers, base: 'http://a', body })
  if (response === undefined) return
  expect(response.status).toBeLessThan(500)
  for (const value of Object.values(response.headers)) expect(value).toMatch(/^[\t\x20-\x7e\x80-\xff]*$/)
}

export const targets: readonly Target[] = [
  {
    name: 'traceparent',
    seeds: [
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      '01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x',
    ],
    parse(text) {
      const context = parseTraceparent(text)
      if (context === undefined) return
      expect(context.traceId).toMatch(/^(?!0+$)[\da-f]{32}$/)
      expect(context.spanId).toMatch(/^(?!0+$)[\da-f]{16}$/)
      expect(context.flags).toBeLessThanOrEqual(0xff)
    },
  },
  {
    name: 'tracestate',
    seeds: ['rojo=00f067aa0ba902b7, tenant@congo=t61rcWkgMzE', ' \ta=1 \t, ,b=  2 3'],
    parse(text) {
      const members = parseTracestate(text)
      if (members === undefined) return
      expect(members.length).toBeLessThanOrEqual(32)
      expect(parseTracestate(formatTracestate(members))).toEqual(members)
    },
  },
  {
    name: 'baggage',
    seeds: ['userId=Am%C3%A9lie;ttl=30;public , serverNode=DF%2028', 'a=%E4%zz,,=, b = "'],
    parse(text) {
      const members = parseBaggage(text)
      expect(members.length).toBeLessThanOrEqual(64)
      const field = formatBaggage(members)
      expect(field.length).toBeLessThanOrEqual(8_192)
      // Members that do not fit are omitted.
      expect(members).toEqual(expect.arrayContaining([...parseBaggage(field)]))
    },
  },
  {
    name: 'a list',
    seeds: ['a, "b,\\"c" , ,d'],
    parse(text) {
      for (const quotedPairs of [true, false]) {
        const members = parseList(text, { quotedPairs })
        expect(members.join('').length).toBeLessThanOrEqual(text.length)
        expect(members).not.toContain('')
      }
      firstMembers(text, 3)
    },
  },
  {
    name: 'a media type',
    seeds: ['text/plain; charset="utf\\-8" ; q=1;', 'application/vnd.spring-boot.actuator.v3+json'],
    parse(text) {
      const type = parseMediaType(text)
      if (type !== undefined) expect(type.essence).toMatch(/^[^/\s]+\/[^/\s]+$/)
      orClientError(() => requestTypeOf({ 'content-type': text }, ['application/json']))
      orClientError(() => requestTypeOf({ 'content-encoding': text }, ['text/*', '*/*'], { utf8: false }))
    },
  },
  {
    name: 'Accept',
    seeds: ['text/html, application/json;q=0.9;v="1,2", */*;q=0.1', 'gzip;q=0, br, *'],
    parse(text) {
      const offers = ['application/json', 'text/plain;version=0.0.4;charset=utf-8']
      expect([undefined, ...offers]).toContain(preferredMediaType(text, offers))
      expect(['gzip', 'identity']).toContain(preferredCoding({ 'accept-encoding': text }))
      acceptOf({}, new URLSearchParams({ accept: text }))
    },
  },
  {
    name: 'entity tags and preconditions',
    seeds: ['W/"a", "b,\\c" , "d"', '*', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    parse(text) {
      parseEntityTags(text)
      for (const name of ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']) {
        const outcome = evaluatePreconditions('GET', { [name]: text }, validators)
        expect(['proceed', 'not-modified', 'failed']).toContain(outcome)
      }
    },
  },
  {
    name: 'a range',
    seeds: ['bytes=0-499', 'bytes=-500', 'bytes=9500-', 'bytes=0-0,-1', 'lines=0-1', 'bytes=5-2'],
    parse(text) {
      const state = { size: 100, entityTag: undefined, lastModified: undefined, now: 0 }
      const selected = selectRange('GET', { range: text }, state)
      if (typeof selected === 'string') return
      expect(selected.first).toBeLessThanOrEqual(selected.last)
      expect(selected.last).toBeLessThan(100)
    },
  },
  {
    name: 'an HTTP date',
    seeds: ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'],
    parse(text) {
      const date = parseHttpDate(text, 0)
      if (date !== undefined) expect(Number.isSafeInteger(date)).toBe(true)
    },
  },
  {
    name: 'Authorization',
    seeds: ['Bearer abc.def', 'Basic   QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
    parse(text) {
      expect(parseAuthorization(text)?.scheme).not.toBe('')
      expect(
        basicAuth({ username: 'q7', password: 'z9' })({ headers: { authorization: text } } as never),
      ).toBeUndefined()
    },
  },
  {
    name: 'a target',
    seeds: ['/management/health/db?fields=a(b)&x=%20', 'http://a:80/b/../c?d', '//a%2fb%'],
    parse(text) {
      const path = pathOf(text)
      // As it came, behind the authority of a target in absolute form.
      expect(text.includes(path)).toBe(true)
      queryOf(text)
      const below = pathBelow('/management', path)
      if (below !== undefined) expect(segmentsOf(below)?.join('').length ?? 0).toBeLessThanOrEqual(below.length)
    },
  },
  {
    name: 'Host',
    seeds: ['example.org:8080', '[::1]:80', 'a/b?c#d@e'],
    parse(text) {
      const message = { headers: { host: text }, socket: {} } as unknown as IncomingMessage
      expect(toManagementRequest(message).base).toMatch(/^(http:\/\/[\w.:[\]-]+)?$/)
    },
  },
  {
    name: 'the query parameter fields',
    seeds: ['status,components(db(status),disk),a', '((a),)'],
    parse: (text) => orClientError(() => parseFieldSelection(new URLSearchParams({ fields: text }))),
  },
  {
    name: 'a page',
    seeds: ['20', '-1', '1e3'],
    parse: (text) => orClientError(() => parsePage(new URLSearchParams({ pageSize: text, pageStartIndex: text }))),
  },
  {
    name: 'a JSON body',
    seeds: ['{"a":[1,{"b":"\\u00e9\\"","a":null}]}', '[[[[1e999]]]]', '{"a":1,"\\u0061":2}'],
    parse: (text) => orClientError(() => parseJson(Buffer.from(text, 'latin1'))),
  },
  {
    name: 'the body of a message',
    seeds: ['{"text":"a","attachments":[{"b":"\\u00e9\\"","a":null}]}', '{"a":1,"\\u0061":2}'],
    parse: (text) => orClientError(() => parseMessageJson(Buffer.from(text, 'latin1'))),
  },
  {
    name: 'the body of a form',
    seeds: ['payload=%7B%22text%22%3A%22a+b%22%7D&x=1', '%=%&payload=%zz%e9'],
    parse: (text) => orClientError(() => payloadOfForm(Buffer.from(text, 'latin1'))),
  },
  {
    name: 'a form of parts',
    seeds: ['--x\r\nContent-Disposition: form-data; name="text"\r\n\r\na\r\n--x--\r\n', '--x--'],
    isUntimed: true,
    async parse(text) {
      await parseMultipart(Buffer.from(text, 'latin1'), 'multipart/form-data; boundary=x').catch((error: unknown) => {
        orClientError(() => {
          throw error
        })
      })
    },
  },
  {
    name: 'a request by its target',
    seeds: [
      '/management/metrics/process.uptime?tag=a:b&fields=name',
      '/management/health/?accept=a/b+c',
      '/management',
    ],
    isUntimed: true,
    parse: (text) => request(text, {}),
  },
  {
    name: 'a request by its header',
    seeds: [
      'W/"a", *',
      'text/html;q=0.5, */*',
      'Basic QTpC',
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ],
    isUntimed: true,
    async parse(text) {
      const names = ['accept', 'accept-encoding', 'if-match', 'if-none-match', 'if-modified-since', 'authorization']
      const more = ['traceparent', 'tracestate', 'x-request-id', 'x-forwarded-proto', 'forwarded', 'content-type']
      const headers = Object.fromEntries([...names, ...more].map((name) => [name, text]))
      for (const path of ['health', 'info', 'metrics', 'nothing']) await request(`/management/${path}`, headers)
    },
  },
  {
    name: 'a request by its body',
    seeds: ['{"configuredLevel":"DEBUG"}', '{"configuredLevel":null,"a":[]}'],
    isUntimed: true,
    async parse(text) {
      const headers = { authorization: `Basic ${btoa('a:b')}`, 'content-type': 'application/json' }
      await request('/management/loggers/ROOT', headers, 'POST', text)
    },
  },
  {
    name: 'a request id',
    seeds: ['abc-123', 'a b\r\n'],
    parse: (text) => expect(requestId(text)).toMatch(/^[!-~]{1,128}$/),
  },
  {
    name: 'a UUID',
    seeds: ['01a2008c-581b-7476-b3a4-40bf82ca347a', 'urn:uuid:{01a2008c581b7476b3a440bf82ca347a}'],
    parse(text) {
      if (isUuid(text)) expect(parseUuid(text)).toBeDefined()
      else expect(parseUuid(text)).toBeUndefined()
    },
  },
  {
    name: 'a duration',
    seeds: ['500ms', '1.5h'],
    parse: (text) => expect(parseDuration(text) ?? 0).toBeGreaterThanOrEqual(0),
  },
  {
    name: 'an exposition',
    seeds: [
      '# HELP a b\\n\n# TYPE a histogram\na_bucket{le="+Inf",x="\\"\\\\"} 1.5e+3 12 # {a="b"} 1\n# EOF\n',
      '# TYPE b counter\n# UNIT b_s s\nb_total 1\nb_total 1\n',
    ],
    parse(text) {
      for (const dialect of ['text', 'openmetrics'] as const) {
        expect(readPage(text, dialect).families.size).toBeLessThanOrEqual(text.length)
      }
    },
  },
  {
    name: 'a response to the contract',
    seeds: [
      'HTTP/1.1 103 Early\r\nA: b\r\n\r\n' +
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\n0\r\nT: u\r\n\r\n',
      'HTTP/1.0 200 OK\r\nContent-Length:  2 \r\n\r\nok',
    ],
    parse(text) {
      for (const ended of [true, false]) {
        try {
          const response = readResponse(Buffer.from(text, 'latin1'), 'GET', ended)
          if (response !== undefined) expect(response.content.length).toBeLessThanOrEqual(text.length)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
          expect(error).not.toBeInstanceOf(RangeError)
        }
      }
    },
  },
  {
    name: 'a response to the probe',
    seeds: ['HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 204 No\r\n\r\n'],
    parse(text) {
      try {
        expect(createStatusReader()(text) ?? 200).toBeGreaterThanOrEqual(200)
      } catch (error) {
        expect(String(error)).toMatch(/^Error: (the response is not HTTP\/1|no final response within)/)
      }
    },
  },
  {
    name: 'a partial success of a receiver',
    seeds: ['\n\x05\b\x02\x12\x01a', '\n\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01'],
    parse(text) {
      const partial = readPartialSuccess(Buffer.from(text, 'latin1'))
      if (partial !== undefined) expect(Number.isNaN(partial.rejected)).toBe(false)
    },
  },
  {
    name: 'a statement',
    isUntimed: true,
    seeds: [`SELECT "a""b", $tag$c$tag$, E'd\\'' FROM [e].f /* g */ WHERE h IN (1, 2) -- i`, '/*! #`x` */ @a := 0x1F'],
    parse(text) {
      for (const dialect of ['postgresql', 'mysql', 'mssql'] as const) {
        const shown = sqlText(text, dialect)
        expect(shown.length).toBeLessThanOrEqual(4_096)
        expect(sqlSummary(sqlOperation(text, dialect), shown).length).toBeLessThanOrEqual(4_096)
      }
    },
  },
  {
    name: 'the address of an outgoing request',
    seeds: ['/a?b=c&d#e', 'http://u:p@h/a?b'],
    parse(text) {
      const shown = recordedUrl({ origin: 'http://h', address: 'h', port: 80 }, text, (path) => path)
      expect(shown.length).toBeLessThanOrEqual(text.length + (text.split('&').length + 1) * 'REDACTED'.length + 8)
    },
  },
  {
    name: 'the message of an error',
    seeds: ['postgres://a:b@c/d', 'password="e""f";token=g', '{"secret":\'h\'} Bearer abc.def-1'],
    isUntimed: true,
    parse: (text) => expect(describeError(new Error(text)).length).toBeLessThanOrEqual(4_100),
  },
  {
    name: 'a record of the log',
    seeds: ['a\nb\u202e\ud800\\ud800', 'x\n    at y (z:1:1)'],
    isUntimed: true,
    parse(text) {
      let lines = ''
      const write = (line: string) => {
        lines += line
      }
      createLogger({ application: { name: 'a' }, write }).info(text, { [text]: new Error(text) })
      expect(JSON.parse(lines)).toMatchObject({ message: text.replaceAll(/\p{Surrogate}/gu, '\ufffd') })
      expect(lines).toMatch(/^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]*\n$/u)
    },
  },
]
