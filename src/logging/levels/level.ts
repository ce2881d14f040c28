/** How much a logger tells, the quietest first: Spring Boot Actuator's names. */
export const levelNames = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'] as const

export type Level = (typeof levelNames)[number]

/** The level of a name, in whatever case, or `undefined` when it is none. */
export function parseLevel(text: string): Level | undefined {
  const name = text.toUpperCase()
  return levelNames.find((level) => level === name)
}
