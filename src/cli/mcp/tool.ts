import type { infer as Infer, ZodMiniType } from 'zod/mini'
import type { Answer } from './answer.ts'
import { oneOf, optional, strictObject, toJSONSchema } from './sdk.ts'
import type { Connection, Service } from './service.ts'
import { ToolError } from './tool-error.ts'

type Fields = Readonly<Record<string, ZodMiniType>>

interface ToolText {
  readonly name: string
  readonly title: string
  /** For the model. Contains nothing of a service. */
  readonly description: string
  /** The bytes of an answer. @default 8000 */
  readonly budgetBytes?: number
  /** Whether it changes something of the service; it is then there with `--allow-changes` only. */
  readonly changes?: boolean
}

interface ServiceToolParts<F extends Fields> extends ToolText {
  readonly fields: F
  readonly run: (connection: Connection, input: { readonly [name in keyof F]: Infer<F[name]> }) => Promise<Answer>
}

/** What a call has read, and of which service; `undefined` for several. */
interface Called {
  readonly answer: Answer
  readonly service: Service | undefined
}

/** A tool, with the configured services as the choices of its input. */
interface BoundTool {
  readonly inputSchema: object
  /** Rejects with a ToolError. */
  call(input: unknown, signal: AbortSignal): Promise<Called>
}

export interface Tool extends ToolText {
  bind(services: readonly Service[]): BoundTool
}

/** Defines a tool for one service, which the argument `service` names; with one service it may be omitted. */
export function serviceTool<F extends Fields>({ fields, run, ...text }: ServiceToolParts<F>): Tool {
  return {
    ...text,
    bind(services) {
      const names = services.map(({ name }) => name)
      const choice = oneOf(names)
      const schema = strictObject({ service: names.length === 1 ? optional(choice) : choice, ...fields })
      return bindSchema(schema, async (input, signal) => {
        const service = services.find(({ name }) => name === input['service']) ?? services[0]
        if (service === undefined) throw new ToolError('No service is configured.')
        // Safe: the schema has these fields.
        const given = input as { readonly [name in keyof F]: Infer<F[name]> }
        return { answer: await run(service.connect(text.name, signal), given), service }
      })
    },
  }
}

/** Defines a tool that reads all services, without an argument. */
export function overallTool({
  run,
  ...text
}: ToolText & { readonly run: (connections: readonly Connection[]) => Promise<Answer> }): Tool {
  return {
    ...text,
    bind: (services) =>
      bindSchema(strictObject({}), async (_, signal) => ({
        answer: await run(services.map((service) => service.connect(text.name, signal))),
        service: undefined,
      })),
  }
}

function bindSchema(
  schema: ZodMiniType<Readonly<Record<string, unknown>>>,
  run: (input: Readonly<Record<string, unknown>>, signal: AbortSignal) => Promise<Called>,
): BoundTool {
  const { $schema, ...inputSchema } = toJSONSchema(schema, { io: 'input' })
  return {
    inputSchema,
    async call(input, signal) {
      const { success, data, error } = schema.safeParse(input ?? {})
      if (success) return run(data, signal)
      const [issue] = error.issues
      throw new ToolError(`Invalid argument ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'see the schema'}`)
    },
  }
}

/** Returns what was found. @throws ToolError naming the endpoint that is not exposed. */
export function required<T>(found: T | undefined, { service }: Connection, endpoint: string): T {
  if (found !== undefined) return found
  throw new ToolError(
    `${service} does not expose the endpoint ${endpoint}, or not to this token: add it to the option expose, or to ` +
      'management.endpoints.web.exposure.include of Spring Boot.',
  )
}
