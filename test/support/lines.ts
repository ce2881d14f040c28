/** Collects written lines, and parses them as JSON records. */
export interface Lines {
  write(line: string): void
  text(): string
  records(): readonly Readonly<Record<string, unknown>>[]
  last(): Readonly<Record<string, unknown>>
}

export function collectLines(): Lines {
  const written: string[] = []
  const records = () => written.map((line) => JSON.parse(line))
  return {
    write: (line) => {
      written.push(String(line))
    },
    text: () => written.join(''),
    records,
    last: () => records().at(-1),
  }
}
