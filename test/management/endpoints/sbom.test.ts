import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bearerToken, type ManagementOptions } from 'upkeep'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createManagementClient } from '../../support/management-client.ts'

const cycloneDx = { $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json', bomFormat: 'CycloneDX', components: [] }

function setUp(options: ManagementOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const paths = Object.fromEntries(
    ['application', 'spdx', 'plain', 'spaced', 'missing', 'huge'].map((id) => [id, join(folder, id)]),
  )
  writeFileSync(join(folder, 'application'), JSON.stringify(cycloneDx, null, 2))
  utimesSync(join(folder, 'application'), 1_700_000_000, 1_700_000_000)
  writeFileSync(join(folder, 'spdx'), '{"spdxVersion":"SPDX-2.3"}')
  writeFileSync(join(folder, 'plain'), '{}')
  writeFileSync(join(folder, 'spaced'), '{ "bomFormat" :\t"CycloneDX" }')
  writeFileSync(join(folder, 'huge'), '')
  truncateSync(join(folder, 'huge'), 64 * 1_048_576 + 1)
  writeFileSync(join(folder, 'secret'), 'canary-7f3a')
  const events: object[] = []
  const { send } = createManagementClient({
    expose: ['sbom'],
    sbom: paths,
    authorize: bearerToken('secret'),
    audit: (event) => events.push(event),
    report: () => {},
    ...options,
  })
  const get = (target: string, headers = {}) =>
    send(`/management/sbom${target}`, { headers: { authorization: 'Bearer secret', ...headers } })
  return { folder, send, get, events }
}

describe('GET sbom', () => {
  it("has the ids of the documents, in Spring Boot Actuator's shape", async () => {
    expect((await setUp().get('')).json).toEqual({ ids: ['application', 'spdx', 'plain', 'spaced', 'missing', 'huge'] })
  })

  it.each([
    ['/application', 'application/vnd.cyclonedx+json', cycloneDx],
    ['/spdx', 'application/spdx+json', { spdxVersion: 'SPDX-2.3' }],
    ['/plain', 'application/json', {}],
    ['/spaced', 'application/vnd.cyclonedx+json', { bomFormat: 'CycloneDX' }],
  ])('has the document at %s as %s', async (path, type, document) => {
    const { status, headers, json } = await setUp().get(path, { accept: '*/*' })
    expect({ status, type: headers['Content-Type'], json }).toEqual({ status: 200, type, json: document })
  })

  it('has it as application/json on request, and as 304 if the client has it', async () => {
    const { get } = setUp()
    const { headers } = await get('/application', { accept: 'application/json' })
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'Last-Modified': 'Tue, 14 Nov 2023 22:13:20 GMT',
      Vary: 'Accept, Authorization',
    })
    const etag = headers['ETag'] ?? ''
    expect((await get('/application', { accept: 'application/json', 'if-none-match': etag })).status).toBe(304)
  })

  it.each([
    ['/missing', 404, 'The file of this document does not exist.'],
    ['/nope', 404, 'Resource not found.'],
    ['/__proto__', 404, 'Resource not found.'],
    ['/..%2Fsecret', 404, 'Resource not found.'],
    ['/huge', 503, 'The file is longer than 67108864 bytes.'],
  ])('of %s is %d', async (path, status, detail) => {
    const response = await setUp().get(path)
    expect(response).toMatchObject({ status, json: { detail } })
    expect(String(response.body)).not.toContain(tmpdir())
  })

  it.each([
    ['a folder', 'The file of this document is not a regular file.', (path: string) => mkdirSync(path)],
    [
      'a named pipe',
      'The file of this document is not a regular file.',
      (path: string) => execFileSync('mkfifo', [path]),
    ],
    ['a link to itself', 'The file of this document cannot be read.', (path: string) => symlinkSync(path, path)],
  ])('of a path that is %s is a 404', async (_kind, detail, create) => {
    const { folder, get } = setUp()
    create(join(folder, 'missing'))
    expect(await get('/missing')).toMatchObject({ status: 404, json: { detail } })
  })

  it('of a path below a file is a 404', async () => {
    const { folder } = setUp()
    const { get } = setUp({ sbom: { below: join(folder, 'plain', 'below') } })
    expect(await get('/below')).toMatchObject({ status: 404 })
  })

  it('requires an authorized caller and the option sbom, and is audited', async () => {
    const { send, get, events } = setUp()
    expect((await send('/management/sbom/application')).status).toBe(401)
    await get('')
    await get('/application')
    expect(events).toMatchObject([{ type: 'download', path: 'sbom/application', outcome: 'success' }])
    expect(() => setUp({ sbom: undefined })).toThrow(
      `createManagement: sbom: expected { application: 'sbom.cdx.json' }, because "sbom" is exposed`,
    )
    expect(() => setUp({ sbom: { 'a/b': 'x' } })).toThrow('createManagement: sbom')
  })
})
