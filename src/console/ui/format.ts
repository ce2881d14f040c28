const none = '–'

// Kept, because making one takes as long as formatting a hundred numbers.
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const withFraction = (digits: number) => new Intl.NumberFormat('en', { maximumFractionDigits: digits })
const fractions = [withFraction(0), withFraction(1), withFraction(2)] as const

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Returns a number with three significant digits at least, such as `1,234`, `12.3` or `0.0123`. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined) return none
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return value.toExponential(2)
  if (size < 1) return small.format(value)
  return fractions[size >= 100 ? 0 : size >= 10 ? 1 : 2].format(value)
}

/** Returns a duration in seconds, such as `850 µs`, `12.3 ms`, `4.5 s`, `2 min 5 s` or `3 d 4 h`. */
export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return none
  if (seconds < 0) return `-${formatSeconds(-seconds)}`
  if (seconds === 0) return '0 s'
  if (seconds < 0.000_999_5) return `${formatNumber(seconds * 1e6)} µs`
  if (seconds < 0.999_5) return `${formatNumber(seconds * 1e3)} ms`
  if (seconds < 59.5) return `${formatNumber(seconds)} s`
  return formatLong(Math.round(seconds))
}

function formatLong(seconds: number): string {
  if (seconds < 3_600) return pair(seconds, 60, 'min', 1, 's')
  if (seconds < 86_400) return pair(seconds, 3_600, 'h', 60, 'min')
  return pair(seconds, 86_400, 'd', 3_600, 'h')
}

function pair(seconds: number, large: number, unit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % large) / small)
  return `${Math.floor(seconds / large)} ${unit}${rest === 0 ? '' : ` ${rest} ${smallUnit}`}`
}

export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return none
  const size = Math.abs(bytes)
  const power = size < 1 ? 0 : Math.min(Math.floor(Math.log2(size) / 10), byteUnits.length - 1)
  return `${formatNumber(bytes / 1_024 ** power)} ${byteUnits[power]}`
}

/** Returns a rate per second. Rates below one are shown per minute. */
export function formatRate(perSecond: number | null | undefined): string {
  if (perSecond === null || perSecond === undefined) return none
  if (perSecond === 0) return '0/s'
  return Math.abs(perSecond) < 0.1 ? `${formatNumber(perSecond * 60)}/min` : `${formatNumber(perSecond)}/s`
}

/** Returns a share of 0 to 1 as percent. */
export function formatShare(share: number | null | undefined): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return none
  const percent = share * 100
  const isSmall = percent !== 0 && Math.abs(percent) < 10
  return `${isSmall ? formatNumber(Number(percent.toPrecision(2))) : Math.round(percent)} %`
}

/** Returns the time of day, in the time zone of the reader. */
export function formatTime(milliseconds: number): string {
  const date = new Date(milliseconds)
  if (Number.isNaN(date.getTime())) return none
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':')
}

/** Returns the time of day with milliseconds. */
export function formatExactTime(milliseconds: number): string {
  const time = formatTime(milliseconds)
  return time === none ? none : `${time}.${String(new Date(milliseconds).getMilliseconds()).padStart(3, '0')}`
}

/** Returns the date and the time. */
export function formatDate(milliseconds: number): string {
  const date = new Date(milliseconds)
  const time = formatTime(milliseconds)
  if (time === none) return none
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${time}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** Returns how long ago something was, such as `5 s ago`. What is in the future by skew of clocks is `now`. */
export function formatAgo(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1_000)
  return seconds <= 0 ? 'now' : `${formatSeconds(seconds)} ago`
}
