import { type ForeignNames, requireKnownOptions, withErrorCode } from '../../src/entries/adapter.ts'
import { createManagement, type Management, type ManagementOptions, type Report } from '../../src/entries/index.ts'
import { createScheduledTasks } from '../../src/entries/instrumentation.ts'
import { acceptIndicators, findIndicators, type NestIndicator } from './indicators.ts'
import { type NestShutdownOptions, UpkeepLifecycle } from './lifecycle.ts'
import { loadNest } from './load-nest.ts'
import { Meters, Upkeep } from './meters.ts'
import { type ContainedModule, type HttpAdapterHost, type ModulesContainer, wrappersOf } from './nest.ts'
import { findScheduledMethods, recordRuns } from './scheduled-methods.ts'
import { serveManagement } from './serve-management.ts'

/** Options of `UpkeepModule.forRoot`: those of `createManagement`, and how the application ends. */
export interface UpkeepModuleOptions extends Omit<ManagementOptions, 'health'> {
  /** Indicators and groups. Accepts indicators of `@nestjs/terminus`, and adds those declared by `@Indicator`. */
  readonly health?: NestHealthOptions | undefined
  /** How the application ends: `delay` and `timeout` of `shutdownGracefully`. */
  readonly shutdown?: NestShutdownOptions | undefined
}

/** The option `health` of `createManagement`, with indicators of `@nestjs/terminus` as well. */
export interface NestHealthOptions extends Omit<NonNullable<ManagementOptions['health']>, 'indicators'> {
  readonly indicators?: Readonly<Record<string, NestIndicator>> | undefined
}

/** Options of `UpkeepModule.forRootAsync`. */
export interface UpkeepModuleAsyncOptions {
  /** The modules that export what is injected. @default [] */
  readonly imports?: readonly unknown[] | undefined
  /** The tokens of what `useFactory` receives. @default [] */
  readonly inject?: readonly unknown[] | undefined
  readonly useFactory: (...injected: never[]) => UpkeepModuleOptions | Promise<UpkeepModuleOptions>
}

/** A dynamic module, for the `imports` of a module. */
export interface UpkeepDynamicModule {
  module: typeof UpkeepModule
  imports: Promise<{ module: new () => object }>[]
}

const optionsToken = 'upkeep:options'

/** What other modules of Nest call the options of `forRootAsync`. */
const foreignNames: ForeignNames = {
  useClass: 'useFactory',
  useExisting: 'useFactory',
  useValue: 'call UpkeepModule.forRoot(options)',
  global: 'the module is always global',
  isGlobal: 'the module is always global',
}

/**
 * The management of a Nest application, on Express or Fastify. It is global: import it once, in the root module. Serves
 * the endpoints, observes requests, and provides `Upkeep` and `Meters`.
 */
// biome-ignore lint/complexity/noStaticOnlyClass: a module of Nest is a class
export class UpkeepModule {
  /** Creates the management from options. */
  static forRoot(options: UpkeepModuleOptions = {}): UpkeepDynamicModule {
    return dynamicModule([{ provide: optionsToken, useValue: options }], [])
  }

  /** Creates the management from options that a factory returns, which receives other providers. */
  static forRootAsync(options: UpkeepModuleAsyncOptions): UpkeepDynamicModule {
    requireKnownOptions('UpkeepModule.forRootAsync', options, ['imports', 'inject', 'useFactory'], { foreignNames })
    const { imports = [], inject = [], useFactory } = options
    return dynamicModule([{ provide: optionsToken, inject: [...inject], useFactory }], imports)
  }
}

/** Named as it is, Nest reports errors of its providers under this name. */
class UpkeepCoreModule {}

function dynamicModule(options: readonly object[], imports: readonly unknown[]): UpkeepDynamicModule {
  const core = createCoreModule(options, imports)
  // Nest reports the error when it scans the module.
  core.catch(() => {})
  return { module: UpkeepModule, imports: [core] }
}

async function createCoreModule(options: readonly object[], imports: readonly unknown[]) {
  const { HttpAdapterHost, ModulesContainer, report } = await loadNest()
  return {
    module: UpkeepCoreModule,
    global: true,
    imports: [...imports],
    providers: [
      ...options,
      {
        provide: UpkeepLifecycle,
        inject: [optionsToken, HttpAdapterHost, ModulesContainer],
        useFactory: (given: UpkeepModuleOptions, host: HttpAdapterHost, modules: ModulesContainer) =>
          start(given, { host, modules, report }),
      },
      { provide: 'upkeep:scope', inject: [ModulesContainer], useFactory: requireSingleton },
      { provide: Upkeep, inject: [UpkeepLifecycle], useFactory: ({ management }: UpkeepLifecycle) => management },
      { provide: Meters, inject: [Upkeep], useFactory: ({ meters }: Management) => meters },
    ],
    exports: [Upkeep, Meters],
  }
}

interface Surroundings {
  readonly host: HttpAdapterHost
  readonly modules: ModulesContainer
  readonly report: Report
}

/** A management that depended on a request would never be created, and nothing would be served. */
function requireSingleton(modules: ModulesContainer) {
  return {
    onModuleInit(): void {
      const wrappers = [...wrappersOf(modules)].filter(({ token }) => token === UpkeepLifecycle)
      if (wrappers.every((wrapper) => wrapper.isDependencyTreeStatic())) return
      throw withErrorCode(
        new TypeError('UpkeepModule.forRootAsync: inject: expected singletons, received a request-scoped provider'),
        'UPKEEP_EOPTION',
      )
    },
  }
}

function start(options: UpkeepModuleOptions, { host, modules, report }: Surroundings) {
  if (typeof options !== 'object' || options === null) {
    throw withErrorCode(new TypeError(`UpkeepModule: expected options, received ${options}`), 'UPKEEP_EOPTION')
  }
  const { shutdown = {}, health, ...given } = options
  requireKnownOptions('UpkeepModule', shutdown, ['delay', 'timeout'], {
    path: ['shutdown'],
    foreignNames: { gracefulShutdownTimeoutMs: 'delay', gracePeriod: 'timeout' },
  })
  const core = [...modules.values()].filter(({ metatype }) => metatype === UpkeepCoreModule)
  if (core.length > 1)
    throw withErrorCode(new TypeError(`UpkeepModule: expected one import, received ${core.length}`), 'UPKEEP_EOPTION')
  const { promise, resolve } = readiness()
  const methods = findScheduledMethods(modules)
  const scheduledTasks = given.scheduledTasks ?? (methods.length > 0 ? createScheduledTasks({ report }) : undefined)
  const management = createManagement({
    report,
    ...given,
    ...(scheduledTasks && { scheduledTasks }),
    health: {
      ...health,
      indicators: { ...findIndicators(modules, promise), ...acceptIndicators(health?.indicators ?? {}) },
    },
  })
  const restore = scheduledTasks && recordRuns(methods, scheduledTasks, () => management)
  const close = () => {
    restore?.()
    management.close()
  }
  closeFirst(core)
  serveManagement(host, management, management.report)
  return new UpkeepLifecycle({ management, host, modules, shutdown, ready: resolve, close })
}

function readiness() {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Lets the requests finish before the hooks of other modules close what they need. */
function closeFirst(modules: readonly ContainedModule[]): void {
  for (const module of modules) module.distance = -1
}
