import type { InfoOptions } from 'upkeep'
import { systemClock } from 'upkeep/adapter'
import { describe, expect, it } from 'vitest'
import { createInfoReader } from '../../../src/management/info/collect-info.ts'
import { infoContributors } from '../../../src/management/info/info-contributors.ts'

/** Parts without what this machine's build and commit would add. */
async function partsOf(options: InfoOptions): Promise<readonly string[]> {
  const contributors = infoContributors({ build: false, git: false, ...options }, { clock: systemClock })
  return Object.keys(await createInfoReader(contributors, () => {})())
}

describe('infoContributors', () => {
  it.each([
    [{}, []],
    [{ runtime: true }, ['runtime']],
    [{ os: true }, ['os']],
    [{ process: true }, ['process']],
    [{ container: true, contributors: [() => ({ container: 1 })] }, ['container']],
    [{ runtime: true, os: true, process: true }, ['runtime', 'os', 'process']],
    [{ contributors: [() => ({ mine: 1 })], os: true }, ['os', 'mine']],
  ])('for %j report %j', async (options, parts) => {
    expect(await partsOf(options)).toEqual(parts)
  })

  it('are the build and the commit unless they are declined', () => {
    expect(infoContributors({}, { clock: systemClock })).toHaveLength(2)
    expect(infoContributors({ build: true, git: false }, { clock: systemClock })).toHaveLength(1)
  })

  it('gives precedence to contributors of the application', async () => {
    const contributors = infoContributors(
      { os: true, contributors: [() => ({ os: 'secret' })] },
      { clock: systemClock },
    )
    expect(await createInfoReader(contributors, () => {})()).toMatchObject({ os: 'secret' })
  })
})
