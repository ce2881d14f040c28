import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { built } from '../support/built.ts'
import { startChild } from '../support/child.ts'
import { describeProgram } from '../support/describe-program.ts'
import { card, useConsoleBrowser } from './console-browser.ts'

/** Starts three workers of one service that share a port. */
async function startWorkers() {
  const directory = await mkdtemp(join(tmpdir(), 'upkeep-console-'))
  const dist = resolve(built('build/node_modules/upkeep/dist/cluster.js'), '..')
  const env = { ...process.env, UPKEEP_DIST: dist, GROUP_DIRECTORY: directory, WORKERS: '3' }
  const primary = startChild(process.execPath, [resolve(import.meta.dirname, 'worker-service.mjs')], { env })
  onTestFinished(async () => {
    await primary.kill()
    await rm(directory, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${(await primary.out.line(/^ready at \d+$/)).split(' ').at(-1)}`
  const read = async (path: string) => {
    const headers = { authorization: 'Bearer let-me-in', connection: 'close' }
    const response = await fetch(`${url}/management/console/${path}`, { headers })
    return { status: response.status, json: JSON.parse(await response.text()) }
  }
  const order = async (path = '/orders/1') => (await fetch(`${url}${path}`)).text()
  /** Ends a worker: requests reach the workers in turns. */
  const end = async (member: string) => {
    while ((await order(`/exit/${member}`)) !== member);
  }
  await expect.poll(async () => (await read('overview')).json.members).toEqual(['0', '1', '2'])
  return { url, read, order, end }
}

it('shows each worker of node:cluster, whichever of them responds', async () => {
  const { read, order } = await startWorkers()
  const served = new Map<string, number>()
  for (let at = 0; at < 9; at += 1) {
    const member = await order()
    served.set(member, (served.get(member) ?? 0) + 1)
  }
  const pids = new Set<number>()
  for (const member of ['0', '1', '2']) {
    const count = served.get(member) ?? 0
    const { json: overview } = await read(`overview?member=${member}`)
    pids.add(overview.application.pid)
    const { json: requests } = await read(`requests?member=${member}`)
    expect(requests.recent).toHaveLength(count)
    const { json: logs } = await read(`logs?member=${member}`)
    expect(logs.records.map(({ message }: { message: string }) => message)).toEqual(
      Array.from({ length: count }, () => `order of member ${member}`),
    )
    const placed = async () => (await read(`meters/orders.placed?member=${member}`)).json.series[0].values.COUNT
    await expect.poll(placed).toBe(count)
  }
  expect(pids.size).toBe(3)
  expect((await read('requests')).json.recent).toHaveLength(9)
  expect((await read('logs')).json.records).toHaveLength(9)
  expect((await read('meters/orders.placed')).json.series[0].values.COUNT).toBe(9)
})

it('names the remaining workers where one has ended', async () => {
  const { read, end } = await startWorkers()
  await end('1')
  const remaining = ['0', '2']
  await expect.poll(async () => (await read('overview?member=1')).json.members).toEqual(remaining)
  expect(await read('health?member=1')).toMatchObject({
    status: 404,
    json: { detail: 'Member 1 not found; the members are 0, 2.', members: remaining },
  })
  await expect.poll(async () => (await read('overview')).json.members).toEqual(remaining)
})

describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
  const { open, signIn, visit } = useConsoleBrowser(executablePath)
  const select = (page: Page) => page.getByRole('combobox', { name: 'Member' })

  it('selects all workers or one on each screen, and offers the others when it is gone', async () => {
    const { url, order, end } = await startWorkers()
    for (let at = 0; at < 6; at += 1) await order()
    const { page, complaints } = await open(`${url}/management`)
    await signIn(page, 'let-me-in')
    await page.getByText('● live').waitFor()
    expect(await select(page).locator('option').allTextContents()).toEqual(['all', '0', '1', '2'])
    await page.evaluate(`location.hash = '#/logs'`)
    for (const member of ['0', '1', '2']) await page.getByText(`order of member ${member}`).first().waitFor()
    expect(await card(page, 'Records').getByRole('columnheader').allInnerTexts()).toContain('Member')

    await select(page).focus()
    await page.keyboard.press('1')
    await expect.poll(() => new URL(page.url()).hash).toBe('#/logs?member=1')
    await page.getByText('order of member 1').first().waitFor()
    expect(await page.getByText('order of member 0').count()).toBe(0)
    for (const name of ['Overview', 'Requests', 'Health', 'Metrics', 'Dependencies']) {
      await page.getByRole('navigation').getByRole('link', { name }).click()
      await expect.poll(() => new URL(page.url()).hash).toBe(`#/${name.toLowerCase()}?member=1`)
      await page.getByRole('heading', { level: 1, name }).waitFor({ state: 'attached' })
    }
    await page.getByText('● live').waitFor()

    await end('1')
    await page.getByText('The member 1 is gone.').waitFor()
    await page.getByRole('link', { name: 'member 2' }).click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#/dependencies?member=2')
    await page.getByText('The member 1 is gone.').waitFor({ state: 'detached' })
    expect(await select(page).locator('option').allTextContents()).toEqual(['all', '0', '2'])
    await visit(page, () => {})
    expect(complaints).toEqual([])
  })
})
