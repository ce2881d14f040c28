import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startChild } from '../support/child.ts'

const built = pathToFileURL('build/node_modules/upkeep/dist/index.js').href

/** What a module sees beside its own code. */
const surroundings = `
import { createManagement } from ${JSON.stringify(built)}
async function scrape(management, headers = {}) {
  const target = '/management/prometheus'
  return (await management({ method: 'GET', target, headers, base: '', body: () => {} })).body
}
`

/**
 * Runs a module with the built package in a process of its own, and tells what it printed before it ended by itself.
 */
async function runToItsEnd(code: string): Promise<string> {
  const options = ['--input-type=module', '--eval', surroundings + code]
  const child = startChild(process.execPath, options)
  onTestFinished(() => child.kill())
  expect(await child.ended).toBe(0)
  return child.out.lines.join('\n')
}

describe('a process with a management', () => {
  it('exits by itself when the management is not closed', async () => {
    const code = "createManagement({ expose: ['metrics', 'prometheus'], metrics: { expireAfter: { counter: '1m' } } })"
    expect(await runToItsEnd(`${code}\nconsole.log('done')`)).toBe('done')
  })

  it('exits by itself after a scrape, and with one that is not read to its end', async () => {
    const code = `
      const management = createManagement({ expose: ['prometheus'] })
      management.meters.timer('work').record(1)
      let page = ''
      for await (const chunk of await scrape(management)) page += Buffer.from(chunk).toString()
      const left = await scrape(management, { 'accept-encoding': 'gzip' })
      await left[Symbol.asyncIterator]().next()
      console.log(page.includes('process_uptime_seconds'), page.includes('work_seconds_count 1'))`
    expect(await runToItsEnd(code)).toBe('true true')
  })
})
