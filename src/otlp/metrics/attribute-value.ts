/** The attributes of OpenTelemetry's semantic conventions whose values are integers. Values of tags are strings. */
const integers: ReadonlySet<string> = new Set(['http.response.status_code', 'server.port'])
const zero = 0x30
const nine = 0x39

/** Returns the value of a tag as an OTLP attribute: a number where the semantic conventions define an integer. */
export function attributeValue(key: string, value: string): string | number {
  // Nearly all values are words, which need no look-up.
  const first = value.charCodeAt(0)
  if (!(first >= zero && first <= nine) || !integers.has(key)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
