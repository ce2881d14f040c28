import { lazy } from '../../base/lazy.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Offer, Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, listSchema, objectSchema, stringSchema } from './json-representation.ts'

const files = lazy(() => process.getBuiltinModule('node:fs/promises'))

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

/** @throws HttpError 404 if the file does not exist, 501 if Node's permissions do not allow to read it. */
async function readDocument(path: string): Promise<Representation> {
  try {
    const { size, mtimeMs } = await files().stat(path)
    if (size > maxBytes) throw new HttpError(503, `The file is longer than ${maxBytes} bytes.`)
    const content = await files().readFile(path)
    const offer = (mediaType: string): Offer => ({ mediaType, render: () => content })
    const plain = offer('application/json')
    const format = mediaTypeOf(content.toString('utf8', 0, headLength))
    return {
      offers: format === undefined ? [plain] : [offer(format), plain],
      caching: 'no-cache',
      lastModified: Math.floor(mtimeMs),
    }
  } catch (error) {
    throw readError(error)
  }
}

function readError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return new HttpError(404, 'The file of this document does not exist.', { cause: error })
  if (code !== 'ERR_ACCESS_DENIED') return error
  return new HttpError(501, 'Reading the file requires the permission --allow-fs-read.', { cause: error })
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
