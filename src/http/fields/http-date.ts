const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const imfFixdate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/
const rfc850Date =
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}:\d{2}:\d{2}) GMT$/
const asctimeDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}:\d{2}:\d{2}) (\d{4})$/

/**
 * Parses an HTTP date in any of its three forms (RFC 9110 §5.6.7). Returns milliseconds since the epoch, or `undefined`
 * if it is invalid. A two-digit year more than 50 years after `now` is in the previous century.
 */
export function parseHttpDate(text: string, now: number = Date.now()): number | undefined {
  const preferred = imfFixdate.exec(text)
  if (preferred !== null) {
    const [, day = '', month = '', year = '', time = ''] = preferred
    return milliseconds(Number(year), month, Number(day), time)
  }
  const dashed = rfc850Date.exec(text)
  if (dashed !== null) {
    const [, day = '', month = '', year = '', time = ''] = dashed
    const thisYear = new Date(now).getUTCFullYear()
    const sameCentury = thisYear - (thisYear % 100) + Number(year)
    return milliseconds(sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury, month, Number(day), time)
  }
  const ancient = asctimeDate.exec(text)
  if (ancient !== null) {
    const [, month = '', day = '', time = '', year = ''] = ancient
    return milliseconds(Number(year), month, Number(day), time)
  }
  return undefined
}

function milliseconds(year: number, monthName: string, day: number, time: string): number | undefined {
  const month = months.indexOf(monthName)
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number)
  if (month < 0 || hour > 23 || minute > 59 || second > 60) return undefined
  const midnight = new Date(0).setUTCFullYear(year, month, day)
  const exists = new Date(midnight).getUTCDate() === day && day > 0
  return exists ? midnight + ((hour * 60 + minute) * 60 + second) * 1000 : undefined
}

/** Formats a time as an IMF-fixdate, in whole seconds (RFC 9110 §5.6.7). */
export function formatHttpDate(millisecondsSinceEpoch: number): string {
  return new Date(millisecondsSinceEpoch).toUTCString()
}
