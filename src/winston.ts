export type { Loggers } from './levels/loggers.ts'
export {
  logRecord,
  plainText,
  type WinstonFormat,
  type WinstonInfo,
  type WinstonRecordOptions,
} from './logging/winston-format.ts'
export { type NamedWinstonLoggers, type WinstonLogger, winstonLoggers } from './logging/winston-loggers.ts'
