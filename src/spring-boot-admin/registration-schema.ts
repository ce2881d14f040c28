import * as z from 'zod/mini'
import { parseDuration } from '../base/duration.ts'
import { invalidOption } from '../base/errors.ts'
import { describeOptionErrors, type OptionIssue, type OptionSchema, withForeignNames } from '../base/option-errors.ts'
import type { ForeignNames } from '../base/unknown-option.ts'
import type { RegistrationOptions } from './registration-options.ts'

/**
 * Checks the options of registerAtSpringBootAdmin.
 *
 * @throws TypeError naming each invalid option, what is expected, and what was received.
 */
export function checkRegistration(options: RegistrationOptions): void {
  const schema = registrationOptions()
  const { success, error } = schema.safeParse(options)
  if (success) return
  const errors = describeOptionErrors(error.issues as readonly OptionIssue[], {
    options,
    schema: schema as OptionSchema,
    // A URL may contain a password, and so may metadata.
    isSecret: ([first]) => first !== undefined && !['registerOnce', 'period', 'timeout', 'tags'].includes(first),
  })
  throw invalidOption(`registerAtSpringBootAdmin: ${errors.join('; ')}`)
}

/** Fields by which the client manages the connection and delimits the content. */
const reservedFields: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const freeFields = 'header fields other than those of the connection and of framing'

function isFreeField(name: string): boolean {
  return !reservedFields.includes(name.toLowerCase())
}

/** Created on demand. */
function registrationOptions() {
  const optional = z.optional
  const aUrl = 'a URL such as "http://admin:8080" without user, password, query and fragment'
  const oneUrl = `${aUrl}, or an array of them`
  const url = z.string(aUrl).check(z.refine(isPlainUrl, aUrl))
  const aDuration = 'a duration such as "5s" of more than 0'
  const duration = z.string(aDuration).check(z.refine((value) => (parseDuration(value) ?? 0) >= 1, aDuration))
  const text = z.string('a string').check(z.minLength(1, 'a non-empty string'))
  const texts = z.record(z.string(), z.string('a string'), 'an object of strings')
  const fieldName = z
    .string()
    .check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'names of header fields'), z.refine(isFreeField, freeFields))
  const fieldValue = z.string('a string').check(z.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'the value of a header field'))
  const aFunction = (what: string) => z.custom((value) => typeof value === 'function', what)
  const schema = z.strictObject(
    {
      url: z.union([url, z.array(url).check(z.minLength(1, oneUrl))], oneUrl),
      managementUrl: url,
      healthUrl: optional(url),
      serviceUrl: optional(url),
      name: optional(text),
      tags: optional(texts),
      metadata: optional(texts),
      credential: optional(
        z.looseObject({ username: z.string(), password: z.string() }, 'the result of createAdminCredential'),
      ),
      headers: optional(z.record(fieldName, fieldValue, 'an object of header fields')),
      registerOnce: optional(z.boolean('true or false')),
      period: optional(duration),
      timeout: optional(duration),
      report: optional(aFunction('a function (message, cause)')),
    },
    'an object',
  )
  return withForeignNames(schema, foreignNames)
}

const foreignNames: ForeignNames = {
  endpoint: 'url',
  adminUrl: 'url',
  serverUrl: 'url',
  apiPath: 'url',
  managementBaseUrl: 'managementUrl',
  serviceBaseUrl: 'serviceUrl',
  healthPath: 'healthUrl',
  serviceName: 'name',
  username: 'credential',
  password: 'credential',
  token: 'headers',
  interval: 'period',
  connectTimeout: 'timeout',
  readTimeout: 'timeout',
}

function isPlainUrl(text: string): boolean {
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text)) return false
  const { username, password, search, hash } = new URL(text)
  return username === '' && password === '' && search === '' && hash === ''
}
