/** The levels of Spring Boot Actuator, from the least to the most verbose. */
export const levelNames = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'] as const

/** The name of a log level, as in Spring Boot: from `OFF` to `TRACE`. */
export type Level = (typeof levelNames)[number]

/** Returns the level with a name, case-insensitively, or `undefined` for an unknown name. */
export function parseLevel(text: string): Level | undefined {
  const name = text.toUpperCase()
  return levelNames.find((level) => level === name)
}

/** Names of levels in other loggers that differ from those in log records. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['silly', 'TRACE'],
  ['warning', 'WARN'],
  ['emerg', 'FATAL'],
  ['alert', 'FATAL'],
  ['crit', 'FATAL'],
])

/** Returns the level in a log record for a level of another logger: `INFO`, `ERROR`; unknown names in upper case. */
export function recordLevel(label: string): string {
  return otherNames.get(label) ?? label.toUpperCase()
}
