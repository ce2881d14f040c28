import { describeValue } from '../base/describe-value.ts'
import { optionOutOfRange } from '../base/errors.ts'
import { ecsProcessFields, ecsRecord } from './ecs-record.ts'
import { errorFields } from './error-fields.ts'
import { formatJsonLine } from './log-line.ts'
import { formatPlainText } from './plain-text.ts'
import type { LoggingApplication, LogRecord } from './record.ts'

/** The name of a format of `createLogger`. */
type FormatName = 'json' | 'ecs' | 'text'

type Format = (record: LogRecord) => string

/** The formats by name. */
const formats: Readonly<Record<FormatName, (application: LoggingApplication) => Format>> = {
  json: () => formatJsonLine,
  ecs: (application) => {
    const processFields = ecsProcessFields(application)
    return (record) => formatJsonLine(ecsRecord(record, record.level.toLowerCase(), processFields))
  },
  text: () => (record) => formatPlainText(withPlainErrors(record)),
}

/**
 * Returns the function that formats records as one line.
 *
 * @throws RangeError if there is no format with this name.
 */
export function createFormat(name: FormatName, application: LoggingApplication): Format {
  if (Object.hasOwn(formats, name)) return formats[name](application)
  const names = Object.keys(formats).map((each) => `"${each}"`)
  throw optionOutOfRange(`createLogger: format: expected one of ${names.join(', ')}, received ${describeValue(name)}`)
}

function withPlainErrors(record: LogRecord): LogRecord {
  const fields = Object.entries(record).map(([name, value]) => [
    name,
    value instanceof Error ? errorFields(value) : typeof value === 'bigint' ? String(value) : value,
  ])
  return Object.fromEntries(fields) as LogRecord
}
