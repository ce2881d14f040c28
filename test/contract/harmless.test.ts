import { contract } from 'upkeep/contract'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startMutant } from './mutants/mutant-server.ts'
import { type ConformingServer, startConformingServer } from './support/conforming-server.ts'

let server: ConformingServer
beforeAll(async () => {
  server = await startConformingServer()
})
afterAll(() => server.close())

/** A server that only forwards, and a list of its requests. */
async function startWitness() {
  const requests: string[] = []
  const { port, close } = await startMutant(server.port, {
    changeRequest(request) {
      const { method, target, headers } = request
      requests.push(`${method} ${target} ${headers.get('accept') ?? '*/*'}`)
      return request
    },
  })
  onTestFinished(close)
  return { requests, baseUrl: `http://127.0.0.1:${port}` }
}

it.each(['upkeep', 'spring'] as const)(
  'the contract takes no dump and no profile, and ends no process (%s)',
  { timeout: 600_000 },
  async (profile) => {
    const { requests, baseUrl } = await startWitness()
    const options = { ...server.options, baseUrl, profile, basePath: '/management' }
    for (const each of contract({ ...options, only: ['discovery', 'diagnostics'] })) await each.check()
    const costly = requests.filter((line) => /\/(heapdump|profile|pprof|shutdown)\b/.test(line))
    expect(costly.length).toBeGreaterThan(5)
    const harmless = [
      /^(OPTIONS|PUT) /,
      // Nothing can be sent as an image, and GET does not shut down.
      /^GET \S+ image\/png$/,
      /^GET \/management\/shutdown /,
      /^GET \/management\/profile\?seconds=(0|-1|soon|1e9) /,
    ]
    expect(costly.filter((line) => !harmless.some((pattern) => pattern.test(line)))).toEqual([])
  },
)
