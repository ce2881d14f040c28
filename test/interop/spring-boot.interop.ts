import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { contract } from 'upkeep/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { unpackPackage } from '../support/package/packed.ts'
import { type Request, requests } from './spring/answers.ts'
import { shapeOf } from './spring/shape.ts'
import { type Service, startService } from './spring/start-service.ts'
import { type SpringApplication, startSpring } from './spring/start-spring.ts'

const packed = unpackPackage()
afterAll(packed.remove)

let spring: SpringApplication
let upkeep: Service
beforeAll(async () => {
  spring = await startSpring('UPKEEP_SPRING_BOOT')
  upkeep = await startService(packed, {})
  for (const { url } of [spring, upkeep]) {
    // For the exchanges to have an entry.
    expect((await fetch(`${url}/orders/7`)).status).toBe(200)
    await vi.waitFor(() => requireExecutions(url), { timeout: 180_000, interval: 200 })
  }
}, 600_000)
afterAll(async () => {
  await upkeep?.stop()
  await spring?.stop()
})

/** Requires that each task with a rate has been executed once. */
async function requireExecutions(base: string): Promise<void> {
  const response = await fetch(`${base}/actuator/scheduledtasks`, { headers: { authorization: 'Bearer secret' } })
  const { fixedRate } = (await response.json()) as { readonly fixedRate: readonly object[] }
  expect(fixedRate).not.toEqual([])
  for (const task of fixedRate) expect(task).toHaveProperty('lastExecution')
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly shape: readonly string[]
}

async function ask(
  base: string,
  { line, accept = 'application/vnd.spring-boot.actuator.v3+json', range, body }: Request,
) {
  const [method = 'GET', path = ''] = line.split(' ')
  const headers = {
    ...{ accept, authorization: 'Bearer secret' },
    ...(range && { range }),
    ...(body && { 'content-type': 'application/json' }),
  }
  const response = await fetch(`${base}/actuator${path && `/${path}`}`, { method, headers, ...(body && { body }) })
  const text = await response.text()
  // A space after the semicolon has no meaning (RFC 9110 §5.6.6).
  const type = (response.headers.get('content-type') ?? 'none').replaceAll('; ', ';')
  const isJson = /json/.test(type) && text !== ''
  return { status: response.status, type, shape: isJson ? shapeOf(JSON.parse(text)) : [text === '' ? 'empty' : 'text'] }
}

/** Returns one line for each difference, such as `- groups.*: object` for a member that only Spring has. */
function differences(one: Answer, other: Answer): readonly string[] {
  return [
    ...(one.status === other.status ? [] : [`status ${one.status} → ${other.status}`]),
    ...(one.type === other.type ? [] : [`type ${one.type} → ${other.type}`]),
    ...one.shape.filter((line) => !other.shape.includes(line)).map((line) => `- ${line}`),
    ...other.shape.filter((line) => !one.shape.includes(line)).map((line) => `+ ${line}`),
  ]
}

/** The first column of the tables of docs/guides/spring-boot.md. */
const topics = [
  ...readFileSync(resolve(import.meta.dirname, '../../docs/guides/spring-boot.md'), 'utf8').matchAll(/^\| (.+?) \|/gm),
].map(([, topic]) => topic)

describe('a Spring Boot service and upkeep', () => {
  it.each(
    requests.map(
      (request) =>
        [request.line, [request.accept, request.range].join(' ').trim(), request.body ?? '', request] as const,
    ),
  )(
    'have the same status, media type, keys and types of %s %s %s, or the difference is listed',
    async (_line, _accept, _body, request) => {
      const { listed = [] } = request
      const found = differences(await ask(spring.url, request), await ask(upkeep.url, request))
      expect(found.filter((line) => !listed.some(([difference]) => difference.test(line)))).toEqual([])
      for (const [difference, topic] of listed) {
        expect(topics, 'topics of docs/guides/spring-boot.md').toContain(topic)
        expect(found, topic).toContainEqual(expect.stringMatching(difference))
      }
    },
  )
})

describe('the Spring profile of the contract', () => {
  // A defect of Spring Boot 4.1.1: below a component that does not exist everything is 500.
  const defects = ['conventions.paths.deep']
  const cases = contract({ baseUrl: () => spring.url, profile: 'spring', timeout: '30s' })

  it.each(cases.map(({ title, ...rest }) => [title, rest] as const))('%s', async (_, { id, check }) => {
    const outcome = await check()
    expect(outcome.kind === 'broken' && !defects.includes(id) ? outcome.violation : undefined).toBeUndefined()
    if (defects.includes(id)) expect(outcome.kind).toBe('broken')
  })
})
