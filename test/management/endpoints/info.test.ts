import type { ManagementOptions } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import { createManagementClient } from '../../support/management-client.ts'

const info = '/management/info'

/** Without what this machine's build and commit would add. */
const withInfo = (options: NonNullable<ManagementOptions['info']> = {}, others: ManagementOptions = {}) =>
  createManagementClient({ expose: ['info'], info: { build: false, git: false, ...options }, ...others })

describe('GET info', () => {
  it('is empty without an application or contributors', async () => {
    expect(await withInfo().send(info)).toMatchObject({ status: 200, body: '{}' })
  })

  it('reports the application first and contributors last', async () => {
    const contributors = [() => ({ team: 'a' }), async () => ({ team: 'b', on: { call: true } })]
    const { send } = withInfo({ contributors }, { application: { name: 'orders', version: '1.4.2' } })
    expect((await send(info)).body).toBe(
      '{"application":{"name":"orders","version":"1.4.2"},"team":"b","on":{"call":true}}',
    )
  })

  it('supports an application without a version', async () => {
    expect((await withInfo({}, { application: { name: 'orders' } }).send(info)).body).toBe(
      '{"application":{"name":"orders"}}',
    )
  })

  it('reports the running build, from the working directory', async () => {
    const { send } = createManagementClient({ expose: ['info'], info: { git: false } })
    expect((await send(info)).json).toMatchObject({ build: { name: 'upkeep', version: expect.any(String) } })
  })

  it('reports a contributor that fails, and returns the other parts', async () => {
    const report = vi.fn()
    const failing = () => Promise.reject(new Error('secret'))
    const { send } = withInfo({ contributors: [failing, () => ({ team: 'a' })] }, { report })
    expect((await send(info)).body).toBe('{"team":"a"}')
    expect(report.mock.calls).toEqual([['an info contributor failed', new Error('secret')]])
  })

  it('has a version, and spares who has it', async () => {
    const { send } = withInfo({ contributors: [() => ({ team: 'a' })] })
    const { headers } = await send(info)
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'Content-Length': '12',
      'Cache-Control': 'no-cache',
      Pragma: 'no-cache',
      Expires: '0',
      ETag: expect.stringMatching(/^"[\w-]{22}"$/),
      Vary: 'Accept',
    })
    expect(await send(info, { headers: { 'if-none-match': headers['ETag'] } })).toMatchObject({
      status: 304,
      body: null,
    })
    expect(await send(info, { headers: { 'if-none-match': '"another"' } })).toMatchObject({ status: 200 })
    expect(await send(info, { headers: { 'if-match': '"another"' } })).toMatchObject({ status: 412 })
  })

  it('supports range requests', async () => {
    const contributors = [() => ({ team: { name: 'a', room: 1 }, floor: 2 })]
    expect((await withInfo({ contributors }).send(`${info}?fields=team(name)`)).json).toEqual({ team: { name: 'a' } })
  })
})
