import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  describeOptionErrors,
  type OptionIssue,
  type OptionSchema,
  withForeignNames,
} from '../../src/base/option-errors.ts'

const schema = z.strictObject({
  interval: z.optional(z.string('a duration such as "5s"')),
  retry: z.optional(z.strictObject({ attempts: z.optional(z.number('a number')) })),
  servers: z.optional(z.array(z.strictObject({ host: z.string('a host name') }))),
  byName: z.optional(z.record(z.string(), z.strictObject({ level: z.optional(z.string('a level')) }))),
  token: z.optional(z.string('a string')),
  cache: z.optional(
    z.union(
      [
        z.boolean(),
        z.strictObject({
          seconds: z.number('a number'),
          keys: z.optional(z.array(z.string('a key'), 'an array of keys')),
        }),
      ],
      'true, false or { seconds, keys }',
    ),
  ),
  address: z.optional(
    z.union([z.strictObject({ path: z.string('a path') }), z.strictObject({ port: z.number('a port') })], 'an address'),
  ),
})

function errorsOf(options: unknown): readonly string[] {
  const { error } = schema.safeParse(options)
  return describeOptionErrors((error?.issues ?? []) as readonly OptionIssue[], {
    options,
    schema: schema as OptionSchema,
    isSecret: ([name]) => name === 'token',
  })
}

describe('describeOptionErrors', () => {
  it.each<[unknown, string[]]>([
    [{ interval: 5 }, ['interval: expected a duration such as "5s", received 5']],
    [{ retry: { attempts: 'x' } }, ['retry.attempts: expected a number, received "x"']],
    [{ servers: [{ host: 'a' }, { host: 1 }] }, ['servers[1].host: expected a host name, received 1']],
    [
      { interval: 5, retry: { attempts: null } },
      ['interval: expected a duration such as "5s", received 5', 'retry.attempts: expected a number, received null'],
    ],
  ])('names the path, what is expected and what was received for %j', (options, errors) => {
    expect(errorsOf(options)).toEqual(errors)
  })

  it.each<[unknown, string]>([
    [{ cache: 'yes' }, 'cache: expected true, false or { seconds, keys }, received "yes"'],
    [{ cache: [] }, 'cache: expected true, false or { seconds, keys }, received an empty array'],
    [{ cache: {} }, 'cache.seconds: expected a number, received undefined'],
    [{ cache: { seconds: 1, keys: 'a' } }, 'cache.keys: expected an array of keys, received "a"'],
    [{ cache: { seconds: 1, keys: ['a', 2] } }, 'cache.keys[1]: expected a key, received 2'],
    [{ cache: { seconds: 1, kesy: [] } }, 'unknown option "cache.kesy"; did you mean "cache.keys"?'],
    [{ address: { path: 1 } }, 'address.path: expected a path, received 1'],
    [{ address: {} }, 'address: expected an address, received an object'],
    [{ address: { path: 1, port: 'x' } }, 'address: expected an address, received an object'],
  ])('names the member of the alternative that was meant, if it is only one: %j', (options, error) => {
    expect(errorsOf(options)).toEqual([error])
  })

  it.each([
    [{ intervall: '5s' }, 'unknown option "intervall"; did you mean "interval"?'],
    [{ retry: { attempt: 1 } }, 'unknown option "retry.attempt"; did you mean "retry.attempts"?'],
    [{ servers: [{ host: 'a', hots: 'b' }] }, 'unknown option "servers[0].hots"; did you mean "servers[0].host"?'],
    [{ byName: { db: { levle: 'INFO' } } }, 'unknown option "byName.db.levle"; did you mean "byName.db.level"?'],
    [{ TOKEN: 'x' }, 'unknown option "TOKEN"; did you mean "token"?'],
  ])('suggests the most similar name for %j', (options, error) => {
    expect(errorsOf(options)).toEqual([error])
  })

  it.each(['elephant', 'x', 'to'])('lists all options for %j, which is similar to none', (name) => {
    expect(errorsOf({ [name]: 1 })).toEqual([
      `unknown option "${name}"; expected interval, retry, servers, byName, token, cache, address`,
    ])
  })

  it('names the meaning of a name that other libraries have', () => {
    const named = withForeignNames(z.strictObject({ url: z.optional(z.string()) }), {
      endpoint: 'url',
      port: 'call listen(management, { port })',
    })
    const errors = (options: unknown) =>
      describeOptionErrors((named.safeParse(options).error?.issues ?? []) as readonly OptionIssue[], {
        options,
        schema: named as OptionSchema,
        isSecret: () => false,
      })
    expect(errors({ ENDPOINT: 'a' })).toEqual(['unknown option "ENDPOINT"; did you mean "url"?'])
    expect(errors({ port: 1 })).toEqual(['unknown option "port"; call listen(management, { port })'])
    expect(errors({ constructor: 1 })).toEqual(['unknown option "constructor"; expected url'])
  })

  it('shows only the type of a secret', () => {
    expect(errorsOf({ token: 4711 })).toEqual(['token: expected a string, received a number'])
  })
})
