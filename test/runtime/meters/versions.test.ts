import { describe, expect, it } from 'vitest'
import { bindRuntimeInfo, describeRuntime } from '../../../src/runtime/meters/versions.ts'
import { bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

describe('bindRuntimeInfo', () => {
  it('is 1, with the runtime as tags', () => {
    const { gauges } = bindRuntimeMeters(bindRuntimeInfo)
    const tags = `runtime=node,vendor=OpenJS Foundation,version=${process.versions.node}`
    expect(gauges('jvm.info')).toEqual({ [tags]: 1 })
  })
})

describe('describeRuntime', () => {
  it.each([
    [
      { node: '24.3.0', v8: '13' },
      { runtime: 'node', vendor: 'OpenJS Foundation', version: '24.3.0' },
    ],
    [
      { node: '24.3.0', bun: '1.3.1' },
      { runtime: 'bun', vendor: 'Oven', version: '1.3.1' },
    ],
    [
      { node: '24.3.0', deno: '2.5.0' },
      { runtime: 'deno', vendor: 'Deno Land', version: '2.5.0' },
    ],
  ])('of %j is the product itself', (versions, tags) => {
    expect(describeRuntime(versions)).toEqual(tags)
  })
})
