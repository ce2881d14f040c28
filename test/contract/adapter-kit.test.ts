import { adapterConformance } from 'upkeep/contract'
import { describe, expect, it } from 'vitest'
import { startExpress } from '../adapters/frameworks/express.ts'
import {
  handleErrorsForCopies,
  manageWith,
  observeBeside,
  observeFirst,
  type Parts,
  pass,
  startWith,
} from './mutants/faulty-adapters.ts'

async function fails(start: ReturnType<typeof startWith>, title: RegExp): Promise<boolean> {
  const [one] = adapterConformance({ start, patience: '1s' }).filter((each) => title.test(each.title))
  if (one === undefined) throw new Error(`no case ${title}`)
  return one.run().then(
    () => false,
    () => true,
  )
}

describe('a broken adapter', () => {
  it.each<readonly [string, Partial<Parts>, RegExp]>([
    ['resolves targets', manageWith('resolving'), /^dot segments into the base path/],
    ['lowers targets', manageWith('lowering'), /^other letter case/],
    ['passes on no header fields', manageWith('without header fields'), /^health shows details/],
    ['has no host', manageWith('without a host'), /^the index links to the exposed/],
    ['buffers streamed content', manageWith('in one piece'), /^the scrape streams/],
    ['observes nothing', { observe: () => pass }, /^a request to a route is timed/],
    ['handles no errors', { handleErrors: undefined }, /^a thrown conflict becomes/],
    ['fails for unusual targets', manageWith('without strange targets'), /^a target that a server may resolve/],
    [
      'observes only the first request of a connection',
      { observe: observeFirst },
      /^pipelined requests on a connection/,
    ],
    [
      'has no response when an error is handled',
      { handleErrors: handleErrorsForCopies },
      /^a problem document has the request id/,
    ],
    ['passes on no credentials', manageWith('without header fields'), /^\/info, protected/],
    ['sends no challenge', manageWith('with fields of its own'), /^\/info, protected/],
    ['allows shared caches to store responses', manageWith('with fields of its own'), /^shared caches/],
    [
      'ends failed content as if it were complete',
      manageWith('as if it were whole'),
      /^a response whose content fails midway/,
    ],
    ['calls routes outside of their trace', { observe: observeBeside }, /^a route runs in the trace of its caller/],
    ['starts no trace', { observe: observeBeside }, /^a route starts a new trace/],
    ['loses the trace with the body', { observe: observeBeside }, /^a route stays in its trace after/],
    [
      'loses the trace of a thrown error',
      { observe: () => pass },
      /^a problem document has the trace id of the request, with/,
    ],
    ['counts the management', manageWith('without a word'), /^a request to the management is not counted/],
  ])('with the fault "%s" fails a case', async (_, parts, title) => {
    expect(await fails(startWith({}), title)).toBe(false)
    expect(await fails(startWith(parts), title)).toBe(true)
  })

  it('fails with what was expected, sent and received', async () => {
    const [one] = adapterConformance({ start: startWith({ handleErrors: undefined }) }).filter(({ title }) =>
      /conflict/.test(title),
    )
    await expect(one?.run()).rejects.toThrow(/^expected {2}.*\nsent {6}GET \/fail\/conflict/)
  })
})

describe('a case that needs a missing ability', () => {
  const reason = 'there is no target'
  const unsupported = { rawTargets: reason }
  const title = /^dot segments into the base path/
  const findCase = (onSkip?: (title: string, reason: string) => void) => {
    const start = () => Promise.reject(new Error('started'))
    const [one] = adapterConformance({ start, unsupported, onSkip }).filter((each) => title.test(each.title))
    if (one === undefined) throw new Error(`no case ${title}`)
    return one
  }

  it('starts no application, and is skipped by a runner that passes a context', async () => {
    const reasons: string[] = []
    await findCase().run(...([{ skip: (skips: string) => reasons.push(skips) }] as never[]))
    expect(reasons).toEqual([reason])
  })

  it('is passed to onSkip if the runner cannot skip a test', async () => {
    const skips: string[] = []
    await findCase((skipped, why) => skips.push(`${skipped}: ${why}`)).run()
    expect(skips).toEqual([expect.stringMatching(/^dot segments into the base path.*: there is no target$/)])
  })

  it('runs if no ability is missing', async () => {
    expect(await fails(startWith(manageWith('resolving')), title)).toBe(true)
  })

  it.each([
    [
      { targets: 'none' },
      'unsupported: expected rawTargets, allTargets, preparedFields, sentAnswers, received "targets"',
    ],
    [{ rawTargets: '' }, 'unsupported.rawTargets: expected a non-empty reason'],
    [{ rawTargets: true }, 'unsupported.rawTargets: expected a non-empty reason'],
  ])('throws for an unknown ability or a missing reason: %j', (wrongly, message) => {
    expect(() => adapterConformance({ start: startExpress('Express 5'), unsupported: wrongly as never })).toThrow(
      message,
    )
  })
})

describe('adapterConformance', () => {
  it('has unique titles', () => {
    const titles = adapterConformance({ start: startExpress('Express 5') }).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})
