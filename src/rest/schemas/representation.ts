import type { Schema } from './schema.ts'

/** A version of a representation that is still spoken, and how it is made from the newest and turned into it. */
export interface OlderVersion<Value> {
  readonly version: number
  readonly schema: Schema
  /** Makes the older form of a value. @default the value as it is, which holds where the newer only adds */
  readonly from?: ((value: Value) => unknown) | undefined
  /** Makes the newest form of what was sent in this version. @default the value as it is */
  readonly to?: ((value: never) => Value) | undefined
}

export interface RepresentationOptions<Value> {
  /** The number of the newest version. @default 1 */
  readonly version?: number | undefined
  /** @default [] */
  readonly older?: readonly OlderVersion<Value>[] | undefined
  /** A JSON media type, to which the parameter `version` is added. @default 'application/json' */
  readonly mediaType?: string | undefined
}

/** What is published of a representation: its versions and their schemas. */
export interface DescribedRepresentation {
  readonly kind: 'representation'
  /** As its schema documents are called. */
  readonly name: string
  readonly mediaType: string
  /** The newest first. */
  readonly versions: readonly [DescribedVersion, ...DescribedVersion[]]
}

export interface DescribedVersion {
  readonly version: number
  readonly schema: Schema
  /** With its parameter, such as `application/json; version=2`. */
  readonly mediaType: string
  /** Of its schema document, such as `order-2`. */
  readonly schemaName: string
}

/** The shape of a resource, in each version that is spoken. */
export interface Representation<Value> extends DescribedRepresentation {
  readonly versions: readonly [RepresentationVersion<Value>, ...RepresentationVersion<Value>[]]
}

export interface RepresentationVersion<Value> extends DescribedVersion {
  readonly write: (value: Value) => unknown
  readonly read: (value: unknown) => Value
}

/**
 * A representation with a schema for each version, told apart by the parameter `version` of the media type. A client that
 * names no version gets, and sends, the newest.
 *
 * @throws RangeError, TypeError for a name, a version or a media type that is none, or a version that is there twice.
 */
export function representation<Value>(
  name: string,
  schema: Schema<Value>,
  { version = 1, older = [], mediaType = 'application/json' }: RepresentationOptions<Value> = {},
): Representation<Value> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new RangeError(`representation: name must be of lower-case letters, digits and hyphens, not '${name}'`)
  }
  if (!/^application\/([\w.+-]*\+)?json$/.test(mediaType)) {
    throw new RangeError(`representation ${name}: mediaType must be JSON without parameters, not '${mediaType}'`)
  }
  const numbers = [version, ...older.map((each) => each.version)]
  const wrong = numbers.find((number, at) => !Number.isInteger(number) || number < 1 || numbers.indexOf(number) !== at)
  if (wrong !== undefined || older.some((each) => each.version > version)) {
    throw new RangeError(
      `representation ${name}: version and older must be whole numbers, each once and the newest as version, not ${numbers.join(', ')}`,
    )
  }
  const describe = (number: number) => ({
    version: number,
    mediaType: `${mediaType}; version=${number}`,
    schemaName: `${name}-${number}`,
  })
  const newest: RepresentationVersion<Value> = {
    ...describe(version),
    schema,
    write: (value) => value,
    // What the schema has let pass is of its type.
    read: (value) => value as Value,
  }
  const others = [...older]
    .sort((a, b) => b.version - a.version)
    .map(
      ({ from, to, ...each }): RepresentationVersion<Value> => ({
        ...describe(each.version),
        schema: each.schema,
        write: from ?? newest.write,
        // The parameter of `to` is what the schema beside it lets pass.
        read: to === undefined ? newest.read : (to as (value: unknown) => Value),
      }),
    )
  return { kind: 'representation', name, mediaType, versions: [newest, ...others] }
}
