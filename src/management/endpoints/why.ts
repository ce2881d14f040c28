import type { MaybePromise } from '../../base/maybe-promise.ts'
import { thenNow } from '../../base/maybe-promise.ts'
import type { Console } from '../../console/console.ts'
import { statementKinds, type WhyDocument } from '../../console/why/why-document.ts'
import { renderWhy } from '../../console/why/why-markdown.ts'
import { mountPathOf } from '../../http/conventions/target.ts'
import type { Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { JsonSchema } from '../../rest/schemas/json-schema.ts'
import type { Endpoint, EndpointDescription } from './endpoint.ts'
import { describeJson, json, listSchema, stringSchema } from './json-representation.ts'

interface WhyContext {
  readonly shown: Pick<Console, 'why'>
  /** Returns the paths of the exposed resources by the mount path of the adapter. */
  readonly linksAt: (mountPath: string) => Readonly<Record<string, string>>
}

const markdownType = 'text/markdown; charset=utf-8'

/** `why`: what is wrong with the service now and in the last 15 minutes, with evidence, as JSON or Markdown. */
export function whyEndpoint({ shown, linksAt }: WhyContext): Endpoint {
  const get = ({ request: { base } }: Call): MaybePromise<Representation> =>
    thenNow(shown.why(), (document) => {
      const page = linksAt(mountPathOf(base))['console']
      const linkOf = (fragment: string) => (page === undefined ? undefined : `${page}${fragment}`)
      const markdown = { mediaType: markdownType, render: () => renderWhy(document, linkOf) }
      const { offers, caching } = json(withLinks(document, linkOf), 'no-store')
      return { offers: [...offers, markdown], caching }
    })
  return { id: 'why', routes: [{ path: 'why', resource: { access: 'authorized', get } }], describe }
}

/** Replaces the fragments of the console by its addresses, or removes them if it is not exposed. */
function withLinks(document: WhyDocument, linkOf: (fragment: string) => string | undefined): object {
  const statements = document.statements.map((statement) => ({ ...statement, link: linkOf(statement.link) }))
  return { ...document, statements }
}

function describe(): EndpointDescription {
  const [number, integer]: readonly JsonSchema[] = [{ type: 'number' }, { type: 'integer' }]
  const object = (properties: Readonly<Record<string, JsonSchema | undefined>>, ...required: readonly string[]) => ({
    ...{ type: 'object', properties, required },
  })
  const oneOf = (...names: readonly string[]): JsonSchema => ({ type: 'string', enum: names })
  const evidence = object(
    {
      name: stringSchema,
      value: { type: ['number', 'string'] },
      baseline: number,
      unit: oneOf('seconds', 'bytes', 'share'),
    },
    ...['name', 'value'],
  )
  const statement = object(
    {
      ...{ kind: oneOf(...statementKinds), severity: oneOf('critical', 'warning'), weight: integer },
      ...{ text: stringSchema, since: number, evidence: listSchema(evidence) },
      ...{ traces: listSchema(stringSchema), link: stringSchema },
    },
    ...['kind', 'severity', 'weight', 'text', 'evidence', 'traces'],
  )
  const marker = object(
    { at: number, kind: oneOf('start', 'health', 'log-level', 'clock'), text: stringSchema },
    ...['at', 'kind', 'text'],
  )
  const application = object({ name: stringSchema, version: stringSchema, commit: stringSchema })
  const schema = object(
    {
      ...{ now: number, windowSeconds: integer, application },
      ...{ summary: stringSchema, statements: listSchema(statement), markers: listSchema(marker), omitted: integer },
    },
    ...['now', 'windowSeconds', 'application', 'summary', 'statements', 'markers', 'omitted'],
  )
  const summary = 'What is wrong with the service now and in the last 15 minutes, with evidence.'
  const content = [...describeJson(schema), { mediaType: markdownType, schema: stringSchema }]
  return { why: { GET: { summary, responses: [{ status: 200, description: summary, content }] } } }
}
