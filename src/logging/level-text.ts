/** The words of other loggers for levels that have another name here. */
const names: ReadonlyMap<string, string> = new Map([
  ['silly', 'TRACE'],
  ['warning', 'WARN'],
  ['emerg', 'FATAL'],
  ['alert', 'FATAL'],
  ['crit', 'FATAL'],
])

/** A logger's own word for a level as a record tells it: `INFO`, `ERROR`; one that has no counterpart in capitals. */
export function levelText(label: string): string {
  return names.get(label) ?? label.toUpperCase()
}
