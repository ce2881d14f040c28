import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect, it } from 'vitest'

const text = readFileSync(resolve(import.meta.dirname, 'node_modules/upkeep/dist/sbom.cdx.json'), 'utf8')
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)

it('the software bill of materials follows the schema of CycloneDX 1.6', async () => {
  expect(await validator.validate(text)).toBeNull()
  expect(await validator.validate(text.replace('"library"', '"book"'))).not.toBeNull()
})
