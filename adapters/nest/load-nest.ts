import type { Report } from '../../src/entries/index.ts'
import { recordExceptions } from './record-exceptions.ts'

/** What the module needs of Nest at run time: the tokens of its container, and its logger. */
export interface LoadedNest {
  readonly HttpAdapterHost: unknown
  readonly ModulesContainer: unknown
  readonly report: Report
}

/** Loads Nest from where the application has it, so that importing `upkeep/nest` does not. */
export async function loadNest(): Promise<LoadedNest> {
  const [{ Logger }, { HttpAdapterHost, ModulesContainer }] = await Promise.all([
    import('@nestjs/common'),
    import('@nestjs/core'),
  ])
  const logger = new Logger('Upkeep')
  const report: Report = (message, cause) => {
    if (cause === undefined) logger.log(message)
    else logger.error(message, cause instanceof Error ? cause.stack : cause)
  }
  try {
    const { ExceptionsHandler } = await import('@nestjs/core/exceptions/exceptions-handler.js')
    recordExceptions(ExceptionsHandler.prototype)
  } catch (error) {
    report('the tag exception of requests is "none": this version of Nest is not known', error)
  }
  return { HttpAdapterHost, ModulesContainer, report }
}
