/** The codes of the Unified Code for Units of Measure (UCUM), which OpenTelemetry uses, by base unit. */
export const ucumCodes: ReadonlyMap<string, string> = new Map([
  ['days', 'd'],
  ['hours', 'h'],
  ['minutes', 'min'],
  ['seconds', 's'],
  ['milliseconds', 'ms'],
  ['microseconds', 'us'],
  ['nanoseconds', 'ns'],
  ['bytes', 'By'],
  ['kibibytes', 'KiBy'],
  ['mebibytes', 'MiBy'],
  ['kilobytes', 'kBy'],
  ['megabytes', 'MBy'],
  ['meters', 'm'],
  ['volts', 'V'],
  ['amperes', 'A'],
  ['joules', 'J'],
  ['watts', 'W'],
  ['grams', 'g'],
  ['celsius', 'Cel'],
  ['hertz', 'Hz'],
  ['percent', '%'],
  ['ratio', '1'],
])

/** Without `1`, which is also the unit of counts. */
const words = /* @__PURE__ */ wordsByCode()

/** The units of rates; for others the word of the unit itself is used. */
const perUnits = new Map([
  ['s', 'second'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
])

/**
 * Returns the base unit of a UCUM code: `seconds` for `s`. A code without a word, such as `{request}`, `1` or `By/s`,
 * is its own base unit, and is sent by OTLP as it is; `unitWord` has its part in an exported name.
 */
export function baseUnitOf(code: string): string {
  return words.get(code) ?? code
}

/**
 * Returns the part of an exported name that stands for a base unit, by OpenTelemetry's rules for Prometheus: nothing
 * for an annotation (`{request}`), `ratio` for a gauge in `1`, `bytes_per_second` for `By/s`. Any other unit is
 * returned unchanged.
 */
export function unitWord(baseUnit: string, isGauge: boolean): string {
  if (baseUnit === '1') return isGauge ? 'ratio' : ''
  const unit = withoutAnnotations(baseUnit)
  const slash = unit.indexOf('/')
  if (slash === -1) return unit
  const [of, per] = [unit.slice(0, slash), unit.slice(slash + 1)]
  // A base unit of an application, such as `requests/s`, is not a UCUM code.
  if (of !== '' && !words.has(of)) return unit
  return `${baseUnitOf(of)}_per_${perUnits.get(per) ?? per}`
}

/** Removes what is in braces, in linear time. */
function withoutAnnotations(unit: string): string {
  let kept = ''
  let rest = unit
  for (;;) {
    const open = rest.indexOf('{')
    const close = open === -1 ? -1 : rest.indexOf('}', open)
    if (close === -1) return kept + rest
    kept += rest.slice(0, open)
    rest = rest.slice(close + 1)
  }
}

function wordsByCode(): ReadonlyMap<string, string> {
  return new Map([...ucumCodes].filter(([, code]) => code !== '1').map(([word, code]) => [code, word]))
}
