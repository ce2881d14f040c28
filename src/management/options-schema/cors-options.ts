import * as z from 'zod/mini'
import { withForeignNames } from '../../base/option-errors.ts'
import type { ForeignNames } from '../../base/unknown-option.ts'
import type { CorsOptions } from '../../http/conventions/cors.ts'
import { duration, flag, oneOf, type Shape } from './values.ts'

export function corsOptions(): z.ZodMiniType {
  const origin = "an origin such as 'https://ops.example': scheme, host and port"
  const origins = "an array of at least one origin, such as ['https://ops.example']"
  const methods = "an array of at least one method, such as ['GET', 'POST']"
  const schema = z.strictObject(
    {
      allowedOrigins: z
        .array(z.string(origin).check(z.refine(isOrigin, origin)), origins)
        .check(z.minLength(1, origins)),
      allowedMethods: z.optional(
        z.array(oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), methods).check(z.minLength(1, methods)),
      ),
      allowedHeaders: z.optional(fieldNames()),
      exposedHeaders: z.optional(fieldNames()),
      allowCredentials: z.optional(flag()),
      maxAge: z.optional(duration()),
    } satisfies Shape<CorsOptions>,
    '{ allowedOrigins, allowedMethods, allowedHeaders, exposedHeaders, allowCredentials, maxAge }',
  )
  return withForeignNames(schema, corsForeignNames)
}

const corsForeignNames: ForeignNames = {
  origin: 'allowedOrigins',
  origins: 'allowedOrigins',
  allowedOriginPatterns: 'allowedOrigins',
  methods: 'allowedMethods',
  headers: 'allowedHeaders',
  credentials: 'allowCredentials',
}

/** Browsers send the serialized form of an origin (RFC 6454 §6.2), with which it is compared. */
function isOrigin(value: string): boolean {
  return /^https?:\/\/[^*]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value
}

/** `*` would not include `Authorization`, and nothing for requests with credentials (Fetch §3.3.3). */
function fieldNames(): z.ZodMiniType {
  const name = "the name of a header field such as 'Authorization'"
  return z.array(z.string(name).check(z.regex(/^[A-Za-z\d_-]+$/, name)), 'an array of names of header fields')
}
