export type { Loggers } from '../logging/levels/loggers.ts'
export type { PinoLogger } from '../logging/pino/pino-family.ts'
export { type FastifyLogger, pinoLoggers } from '../logging/pino/pino-loggers.ts'
export {
  type PinoCallback,
  type PinoRecordOptions,
  type PinoRecordShape,
  type PinoUserOptions,
  pinoOptions,
  pinoTraceMixin,
} from '../logging/pino/pino-options.ts'
export { type LineDestination, plainText } from '../logging/pino/plain-text-stream.ts'
export type { TraceFields } from '../logging/record.ts'
