/**
 * OpenTelemetry's severity numbers of levels by name, as its instrumentation of winston assigns them. OpenTelemetry,
 * logs data model, "Field: SeverityNumber".
 */
const severities: ReadonlyMap<string, number> = new Map([
  ['trace', 1],
  ['silly', 1],
  ['input', 2],
  ['verbose', 6],
  ['prompt', 4],
  ['debug', 5],
  ['http', 7],
  ['info', 9],
  ['notice', 10],
  ['data', 10],
  ['help', 11],
  ['warn', 13],
  ['warning', 13],
  ['error', 17],
  ['crit', 21],
  ['fatal', 21],
  ['alert', 22],
  ['emerg', 23],
])

/** Returns the severity of a level by its name in lower or upper case; that of `INFO` for unknown names. */
export function severityOf(level: string): number {
  return severities.get(level) ?? severities.get(level.toLowerCase()) ?? 9
}

/** Returns the severity of one of pino's numbers of levels: 10 for `trace` to 60 for `fatal`, and those between. */
export function severityOfNumber(level: number): number {
  const severity = Math.floor(1 + (level - 10) * 0.4)
  return severity >= 1 ? Math.min(severity, 24) : 1
}
