import { seriesBeside } from '../../metrics/extensible-registry.ts'
import type { Meter } from '../../metrics/meter.ts'
import type { TagSet, Tags } from '../../metrics/series/tags.ts'
import { TagTable } from '../../metrics/tag-index/tag-table.ts'

/** Attributes beyond the limit of series, and those of denied meters, are found again as long as there are so few. */
const maxAliases = 4_096

/**
 * The meters of one instrument by the attributes of a measurement.
 *
 * OpenTelemetry's API has no bound instruments: attributes are passed at each call, mostly in a new object, which may
 * also be a reused one with other values. So meters are found by the values, in a table that builds no string and
 * allocates nothing. Only attributes that are arrays, `undefined` or `null` take the slow path each time.
 */
export class SeriesByAttributes<M extends Meter> {
  readonly #create: (tags: TagSet) => M
  readonly #table = new TagTable<M>()

  /** `create` creates the meter of some tags, or returns the existing one. It never throws. */
  constructor(create: (tags: TagSet) => M) {
    this.#create = create
  }

  /** Returns the meter of attributes that were passed before: the fast path. */
  find(attributes: GivenAttributes): M | undefined {
    return attributes === undefined ? this.#table.untagged : findByAttributes(this.#table, attributes)
  }

  /** Returns the meter of attributes that `find` has not found. */
  get(attributes: GivenAttributes): M {
    const tags = attributeTags(attributes)
    const meter = this.#table.get(tags.keys, tags.texts) ?? this.#add(tags)
    learnAttributes(this.#table, attributes, tags)
    return meter
  }

  #add(tags: TagSet): M {
    const meter = this.#create(tags)
    if (this.#table.size >= maxAliases + 4 * seriesBeside(meter)) this.#table.clear()
    this.#table.put(tags, meter)
    return meter
  }
}

/** Returns the value of attributes, unless one of them is not a string and was not learnt. */
export function findByAttributes<V>(table: TagTable<V>, attributes: GivenAttributes): V | undefined {
  // Safe: a value that cannot be a tag has no code, so that nothing is found.
  return table.find(attributes as Tags)
}

/** Makes `findByAttributes` recognize the numbers and booleans among these attributes. */
export function learnAttributes<V>(
  { columns }: TagTable<V>,
  attributes: GivenAttributes,
  { keys, texts }: TagSet,
): void {
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as string
    const value = attributes?.[key]
    if (typeof value === 'number' || typeof value === 'boolean') columns.get(key)?.alias(value, texts[at] as string)
  }
}

/** The attributes of a measurement, of any type: instrumentations in plain JavaScript pass what they have. */
export type GivenAttributes = Readonly<Record<string, unknown>> | null | undefined

/**
 * Converts attributes to tags. A number or boolean becomes its string, an array the JSON of its elements, as
 * OpenTelemetry exports it to Prometheus. Attributes that are `undefined`, `null` or of another type, and those with
 * an empty key, are omitted.
 */
export function attributeTags(attributes: GivenAttributes): TagSet {
  const keys: string[] = []
  const texts: string[] = []
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) return { keys, texts }
  for (const key in attributes) {
    const text = key === '' ? undefined : attributeText(attributes[key])
    if (text === undefined) continue
    keys.push(key)
    texts.push(text)
  }
  return { keys, texts }
}

function attributeText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    default:
      return Array.isArray(value) ? JSON.stringify(value, withoutBigInts) : undefined
  }
}

function withoutBigInts(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
