export type { Loggers } from './levels/loggers.ts'
export type { PinoLogger } from './logging/pino-logger.ts'
export { pinoLoggers } from './logging/pino-loggers.ts'
export {
  type PinoRecordOptions,
  type PinoRecordShape,
  type PinoUserOptions,
  pinoOptions,
} from './logging/pino-options.ts'
export { type LineDestination, plainText } from './logging/plain-text-stream.ts'
