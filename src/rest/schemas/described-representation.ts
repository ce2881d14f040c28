import { optionOutOfRange } from '../../base/errors.ts'
import { requireKnownOptions } from '../../base/known-options.ts'
import type { Schema } from './schema.ts'

/** An older version of a representation, with the conversions from and to the newest. */
export interface OlderVersion<Value> {
  readonly version: number
  readonly schema: Schema
  /** Converts a value to this version. @default identity, which suffices if the newer version only adds members */
  readonly from?: ((value: Value) => unknown) | undefined
  /** Converts a value received in this version to the newest. @default identity */
  readonly to?: ((value: never) => Value) | undefined
}

/** Options of `representation`. */
export interface RepresentationOptions<Value> {
  /** Number of the newest version. @default 1 */
  readonly version?: number | undefined
  /** Older versions that are still supported. @default [] */
  readonly older?: readonly OlderVersion<Value>[] | undefined
  /** JSON media type, to which the parameter `version` is added. @default 'application/json' */
  readonly mediaType?: string | undefined
}

/** A representation without its type parameter: name, versions and schemas. */
export interface DescribedRepresentation {
  readonly kind: 'representation'
  /** Name of its schema documents. */
  readonly name: string
  readonly mediaType: string
  /** Newest first. */
  readonly versions: readonly [DescribedVersion, ...DescribedVersion[]]
}

/** A version of a representation without its type parameter: number, schema and media type. */
export interface DescribedVersion {
  readonly version: number
  readonly schema: Schema
  /** With the parameter, such as `application/json; version=2`. */
  readonly mediaType: string
  /** Name of its schema document, such as `order-2`. */
  readonly schemaName: string
}

/** The shape of a resource, in each supported version. */
export interface Representation<Value> extends DescribedRepresentation {
  readonly versions: readonly [RepresentationVersion<Value>, ...RepresentationVersion<Value>[]]
}

/** A version of a representation, with the conversions between it and the newest. */
export interface RepresentationVersion<Value> extends DescribedVersion {
  /** Converts a value of the newest version to this one. */
  readonly write: (value: Value) => unknown
  /** Converts a value that matches the schema of this version to the newest. */
  readonly read: (value: unknown) => Value
}

/**
 * Creates a representation with one schema per version. The parameter `version` of the media type selects one; without
 * it the newest is sent and expected.
 *
 * @throws RangeError or TypeError for an invalid name, version or media type, and for duplicate versions.
 */
export function representation<Value>(
  name: string,
  schema: Schema<Value>,
  options: RepresentationOptions<Value> = {},
): Representation<Value> {
  requireKnownOptions('representation', options, ['version', 'older', 'mediaType'], {
    foreignNames: { versions: 'older', contentType: 'mediaType', type: 'mediaType' },
  })
  const { version = 1, older = [], mediaType = 'application/json' } = options
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw optionOutOfRange(`representation: name: expected lowercase letters, digits and hyphens, received "${name}"`)
  }
  if (!/^application\/([\w.+-]*\+)?json$/.test(mediaType)) {
    throw optionOutOfRange(
      `representation ${name}: mediaType: expected a JSON media type without parameters, received "${mediaType}"`,
    )
  }
  const numbers = [version, ...older.map((each) => each.version)]
  const wrong = numbers.find((number, at) => !Number.isInteger(number) || number < 1 || numbers.indexOf(number) !== at)
  if (wrong !== undefined || older.some((each) => each.version > version)) {
    throw optionOutOfRange(
      `representation ${name}: version, older: expected distinct integers with the newest as version, ` +
        `received ${numbers.join(', ')}`,
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
    // The schema guarantees the type.
    read: (value) => value as Value,
  }
  const others = [...older]
    .sort((a, b) => b.version - a.version)
    .map(
      ({ from, to, ...each }): RepresentationVersion<Value> => ({
        ...describe(each.version),
        schema: each.schema,
        write: from ?? newest.write,
        // The schema guarantees the parameter type of `to`.
        read: to === undefined ? newest.read : (to as (value: unknown) => Value),
      }),
    )
  return { kind: 'representation', name, mediaType, versions: [newest, ...others] }
}
