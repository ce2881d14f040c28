import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { packageVersion } from '../../src/base/package-version.ts'

it('packageVersion is the version in package.json', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(packageVersion).toBe(version)
})
