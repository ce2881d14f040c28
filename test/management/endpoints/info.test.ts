import type { ManagementOptions } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { manage } from '../../support/management-client.ts'

const info = '/management/info'

/** Without what this machine's build and commit would add. */
const withInfo = (options: NonNullable<ManagementOptions['info']> = {}, others: ManagementOptions = {}) =>
  manage({ expose: ['info'], info: { build: false, git: false, ...options }, ...others })

describe('GET info', () => {
  it('is empty without an application or contributors', async () => {
    expect(await withInfo().ask(info)).toMatchObject({ status: 200, body: '{}' })
  })

  it('reports the application first and contributors last', async () => {
    const contributors = [() => ({ team: 'a' }), async () => ({ team: 'b', on: { call: true } })]
    const { ask } = withInfo({ contributors }, { application: { name: 'orders', version: '1.4.2' } })
    expect((await ask(info)).body).toBe(
      '{"application":{"name":"orders","version":"1.4.2"},"team":"b","on":{"call":true}}',
    )
  })

  it('supports an application without a version', async () => {
    expect((await withInfo({}, { application: { name: 'orders' } }).ask(info)).body).toBe(
      '{"application":{"name":"orders"}}',
    )
  })

  it('reports the running build, from the working directory', async () => {
    const { ask } = manage({ expose: ['info'], info: { git: false } })
    expect((await ask(info)).json).toMatchObject({ build: { name: 'upkeep', version: expect.any(String) } })
  })

  it('reports a contributor that fails, and returns the other parts', async () => {
    const report = vi.fn()
    const failing = () => Promise.reject(new Error('secret'))
    const { ask } = withInfo({ contributors: [failing, () => ({ team: 'a' })] }, { report })
    expect((await ask(info)).body).toBe('{"team":"a"}')
    expect(report.mock.calls).toEqual([['an info contributor failed', new Error('secret')]])
  })

  it('has a version, and spares who has it', async () => {
    const { ask } = withInfo({ contributors: [() => ({ team: 'a' })] })
    const { headers } = await ask(info)
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'Content-Length': '12',
      'Cache-Control': 'no-cache',
      Pragma: 'no-cache',
      Expires: '0',
      ETag: expect.stringMatching(/^"[\w-]{22}"$/),
      Vary: 'Accept',
    })
    expect(await ask(info, { headers: { 'if-none-match': headers['ETag'] } })).toMatchObject({
      status: 304,
      body: null,
    })
    expect(await ask(info, { headers: { 'if-none-match': '"another"' } })).toMatchObject({ status: 200 })
    expect(await ask(info, { headers: { 'if-match': '"another"' } })).toMatchObject({ status: 412 })
  })

  it('supports range requests', async () => {
    const contributors = [() => ({ team: { name: 'a', room: 1 }, floor: 2 })]
    expect((await withInfo({ contributors }).ask(`${info}?fields=team(name)`)).json).toEqual({ team: { name: 'a' } })
  })
})
