import { lazy } from '../../base/lazy.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Offer, Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import { readRegularFile, statRegularFile } from '../regular-file.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, listSchema, objectSchema, stringSchema } from './json-representation.ts'

const files = lazy(() => process.getBuiltinModule('node:fs/promises'))

const name = 'The file of this document'

/** A larger file is not served. */
const maxBytes = 64 * 1_048_576

/** The beginning of a document, which names its format. */
const headLength = 4_096

/**
 * `sbom`: the ids of the software bills of materials, `sbom/{id}`: one, as the build has written it. The paths are
 * those of the option `sbom`; no other file is read.
 */
export function sbomEndpoint(paths: Readonly<Record<string, string>>): Endpoint {
  const getIds = () => json({ ids: Object.keys(paths) }, 'no-cache')
  const getOne = async ({ variables: [id = ''] }: Call) => {
    const path = Object.hasOwn(paths, id) ? paths[id] : undefined
    return path === undefined ? undefined : await readDocument(path)
  }
  return {
    id: 'sbom',
    auditedReads: ['sbom/{id}'],
    routes: [
      { path: 'sbom', resource: { access: 'authorized', get: getIds } },
      { path: 'sbom/{id}', resource: { access: 'authorized', get: getOne } },
    ],
    describe,
  }
}

async function readDocument(path: string): Promise<Representation> {
  const { size, mtimeMs } = await statRegularFile(path, name)
  if (size > maxBytes) throw new HttpError(503, `The file is longer than ${maxBytes} bytes.`)
  const content = await readRegularFile(name, () => files().readFile(path))
  const offer = (mediaType: string): Offer => ({ mediaType, render: () => content })
  const plain = offer('application/json')
  const format = mediaTypeOf(content.toString('utf8', 0, headLength))
  return {
    offers: format === undefined ? [plain] : [offer(format), plain],
    caching: 'no-cache',
    lastModified: Number(mtimeMs),
  }
}

/** Returns the media type of the format that the document names, if any. */
function mediaTypeOf(head: string): string | undefined {
  if (/"bomFormat"\s*:\s*"CycloneDX"/.test(head)) return 'application/vnd.cyclonedx+json'
  return head.includes('"spdxVersion"') ? 'application/spdx+json' : undefined
}

function describe(): EndpointDescription {
  const [all, one] = ['The ids of the software bills of materials.', 'A software bill of materials.']
  const ids = describeJson(objectSchema({ ids: listSchema(stringSchema) }))
  const content = [{ mediaType: 'application/vnd.cyclonedx+json', schema: { type: 'object' } }]
  return {
    sbom: { GET: { summary: all, responses: [{ status: 200, description: all, content: ids }] } },
    'sbom/{id}': { GET: { summary: one, responses: [{ status: 200, description: one, content }] } },
  }
}
