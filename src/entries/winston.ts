export type { Loggers } from '../logging/levels/loggers.ts'
export {
  logRecord,
  plainText,
  traceFormat,
  type WinstonFormat,
  type WinstonInfo,
  type WinstonRecordOptions,
} from '../logging/winston/winston-format.ts'
export { type NamedWinstonLoggers, type WinstonLogger, winstonLoggers } from '../logging/winston/winston-loggers.ts'
