import { consoleIds } from './console-ids.ts'
import type { LogIds } from './log-ids.ts'
import { pinoIds } from './pino-ids.ts'
import { winstonIds } from './winston-ids.ts'

/** The loggers whose records get the ids of the current trace. */
export const loggers: readonly LogIds[] = [pinoIds, winstonIds, consoleIds]
