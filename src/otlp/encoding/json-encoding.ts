import type { Encoding, Field, MessageWriter } from './message-writer.ts'

/**
 * OTLP/HTTP with JSON: names in lowerCamelCase, ids in hexadecimal, enumerations as numbers, 64-bit integers as
 * strings. OTLP specification, "JSON Protobuf Encoding".
 */
export const jsonEncoding: Encoding = {
  contentType: 'application/json',
  createWriter: () => new JsonMessageWriter(),
}

/** An object that has begun, and the list of messages in it that may be continued. */
interface Level {
  isEmpty: boolean
  list: string | undefined
}

class JsonMessageWriter implements MessageWriter {
  #text = ''
  #pieces: string[] = []
  #length = 0
  #levels: Level[] = [{ isEmpty: true, list: undefined }]

  string({ name }: Field, value: string): void {
    this.#value(name, JSON.stringify(wellFormed(value)))
  }

  bool({ name }: Field, value: boolean): void {
    this.#value(name, String(value))
  }

  double({ name }: Field, value: number): void {
    this.#value(name, jsonDouble(value))
  }

  uint32({ name }: Field, value: number): void {
    this.#value(name, String(value))
  }

  int64({ name }: Field, value: number): void {
    this.#value(name, `"${value}"`)
  }

  sint32({ name }: Field, value: number): void {
    this.#value(name, String(value))
  }

  fixed32({ name }: Field, value: number): void {
    this.#value(name, String(value))
  }

  fixed64({ name }: Field, value: number): void {
    this.#value(name, `"${value}"`)
  }

  time({ name }: Field, seconds: number, nanoseconds: number): void {
    const carry = nanoseconds >= 1e9 ? 1 : 0
    const digits = seconds + carry === 0 ? '' : String(seconds + carry)
    const rest = String(nanoseconds - carry * 1e9)
    this.#value(name, `"${digits}${digits === '' ? rest : rest.padStart(9, '0')}"`)
  }

  id({ name }: Field, hex: string): void {
    this.#value(name, `"${hex}"`)
  }

  doubles({ name }: Field, values: readonly number[]): void {
    this.#value(name, `[${values.map(jsonDouble).join(',')}]`)
  }

  fixed64s({ name }: Field, values: readonly number[]): void {
    this.#value(name, `[${values.map((value) => `"${value}"`).join(',')}]`)
  }

  uint64s(field: Field, values: readonly number[]): void {
    this.fixed64s(field, values)
  }

  begin({ name, isRepeated = false }: Field): number {
    const level = this.#levels.at(-1) as Level
    if (isRepeated && level.list === name) this.#write(',{')
    else {
      this.#name(name)
      this.#write(isRepeated ? '[{' : '{')
      level.list = isRepeated ? name : undefined
    }
    this.#levels.push({ isEmpty: true, list: undefined })
    return this.#levels.length
  }

  end(_token: number): void {
    this.#endList()
    this.#levels.pop()
    this.#write('}')
  }

  get length(): number {
    return this.#length
  }

  take(): readonly Uint8Array[] {
    this.#endList()
    const pieces = [...this.#pieces, this.#text].map((piece) => Buffer.from(piece))
    this.#text = ''
    this.#pieces = []
    this.#length = 0
    this.#levels = [{ isEmpty: true, list: undefined }]
    return [Buffer.from('{'), ...pieces, Buffer.from('}')]
  }

  reuse(): void {
    // Strings are garbage-collected.
  }

  #value(name: string, json: string): void {
    this.#name(name)
    this.#write(json)
  }

  #name(name: string): void {
    this.#endList()
    const level = this.#levels.at(-1) as Level
    this.#write(level.isEmpty ? `"${name}":` : `,"${name}":`)
    level.isEmpty = false
  }

  #endList(): void {
    const level = this.#levels.at(-1) as Level
    if (level.list === undefined) return
    level.list = undefined
    this.#write(']')
  }

  #write(text: string): void {
    this.#text += text
    this.#length += text.length
    if (this.#text.length < pieceLength) return
    this.#pieces.push(this.#text)
    this.#text = ''
  }
}

/** The approximate length of the pieces of a message. */
const pieceLength = 65_536

function jsonDouble(value: number): string {
  return Number.isFinite(value) ? String(value) : `"${value}"`
}

/** Replaces lone surrogates, which are not UTF-8, by U+FFFD. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD')
}
