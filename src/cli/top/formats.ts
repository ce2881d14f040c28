// Values in about seven characters; `-` for what is not known.

export function count(value: number | null): string {
  if (value === null) return '-'
  if (Math.abs(value) >= 1e6) return value.toExponential(1)
  return Number.isInteger(value) || Math.abs(value) >= 100
    ? String(Math.round(value))
    : value.toFixed(value < 10 ? 2 : 1)
}

export function perSecond(value: number | null): string {
  return `${count(value)}/s`
}

export function time(seconds: number | null): string {
  if (seconds === null) return '-'
  return seconds < 0.9995 ? `${count(seconds * 1_000)} ms` : `${count(seconds)} s`
}

export function share(value: number | null): string {
  return value === null ? '-' : `${(100 * value).toFixed(value < 0.1 ? 1 : 0)} %`
}

export function bytes(value: number | null): string {
  return value === null ? '-' : value >= 2 ** 30 ? `${count(value / 2 ** 30)}G` : `${count(value / 2 ** 20)}M`
}

/** Returns the share of a limit that is used, to be appended. */
export function ofLimit(value: number | null, limit: number | null): string {
  return value === null || !limit ? '' : ` of ${bytes(limit)} (${share(value / limit)})`
}

/** Returns a time of day here. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toTimeString().slice(0, 8)
}

export function ageOf(seconds: number): string {
  const [size, unit] =
    seconds < 120 ? [1, 's'] : seconds < 7_200 ? [60, 'min'] : seconds < 172_800 ? [3_600, 'h'] : [86_400, 'd']
  return `${Math.floor(seconds / size)} ${unit}`
}
