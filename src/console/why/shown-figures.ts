import { showText } from '../shown-values.ts'

/** Returns a duration in its largest unit, such as `2 min`, `1.2 s` or `40 ms`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 0.01) return `${Math.round(10_000 * seconds) / 10} ms`
  if (seconds < 1) return `${Math.round(1_000 * seconds)} ms`
  if (seconds < 10) return `${Math.round(10 * seconds) / 10} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

/** Returns a size in MiB. */
export function formatBytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`
}

export function formatShare(share: number): string {
  return `${Math.round(100 * share)} %`
}

/** Returns how many times a value is what it usually is, such as `12 times`. */
export function formatTimes(value: number, usual: number): string {
  const times = value / Math.max(usual, 1e-6)
  return times >= 1_000
    ? 'more than 1000 times'
    : `${times < 10 ? Math.round(10 * times) / 10 : Math.round(times)} times`
}

/** Removes the digits that mean nothing. */
export function figure(value: number): number {
  return Number(value.toPrecision(4))
}

/** Returns text of the application on one line, without credentials and control characters. */
export function plainText(text: string, maxLength: number): string {
  let plain = ''
  for (const character of showText(text, maxLength)) {
    const code = character.codePointAt(0) ?? 0
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0) || isInvisible(code)
    plain += isControl ? ' ' : character
  }
  return plain
}

/** Line separators, and characters that change the direction of text or hide it. */
function isInvisible(code: number): boolean {
  const isDirection = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
  return isDirection || (code >= 0x200b && code <= 0x200f) || code === 0x2028 || code === 0x2029 || code === 0xfeff
}
