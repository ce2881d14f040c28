import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { unpackPackage } from '../support/package/packed.ts'

const packed = unpackPackage()
afterAll(packed.remove)

describe('the installed package', () => {
  it('A4: finds the documentation', () => {
    expect(packed.manifest).toMatchObject({
      homepage: expect.stringMatching(/^https:\/\//),
      repository: { url: expect.stringMatching(/^git\+https:\/\//) },
      bugs: expect.stringMatching(/^https:\/\//),
    })
    expect(packed.files).toContain('README.md')
    const readme = readFileSync(join(packed.folder, 'README.md'), 'utf8')
    const links = [...readme.matchAll(/\]\(([^)#][^)]*)\)/g)].map(([, href]) => href)
    expect(links.filter((href) => !href?.startsWith('https://'))).toEqual([])
    // A user's first minute is with the package, not with a clone of the repository.
    expect(readme.indexOf('npm install upkeep')).toBeGreaterThan(0)
    expect(readme.indexOf('npm install upkeep')).toBeLessThan(readme.indexOf('webhook-receiver'))
  })
})
