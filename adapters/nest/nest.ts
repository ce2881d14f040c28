/** What the adapter uses of Nest 11 and 12, by shape. */

/** A class. */
export type Class = abstract new (...args: never[]) => unknown

/** A provider or a controller in the container of an application. */
export interface InstanceWrapper {
  readonly token: unknown
  readonly metatype: unknown
  /** The instance; before it is created an object with its prototype. */
  readonly instance: unknown
  /** Whether there is one instance, and not one for each request. */
  isDependencyTreeStatic(): boolean
}

/** A module in the container of an application. */
export interface ContainedModule {
  readonly metatype: unknown
  /** Hooks of the start are called from the largest to the smallest distance, those of the end in reverse. */
  distance: number
  readonly providers: ReadonlyMap<unknown, InstanceWrapper>
  readonly controllers: ReadonlyMap<unknown, InstanceWrapper>
}

/** All modules of an application. */
export interface ModulesContainer {
  values(): Iterable<ContainedModule>
}

/** The platform of an application. */
export interface HttpAdapter {
  getType(): string
  getInstance(): unknown
  getHttpServer(): unknown
}

/** Contains the platform; `Test.createTestingModule` sets it after the providers have been created. */
export interface HttpAdapterHost {
  readonly httpAdapter: HttpAdapter | undefined
  /** Notifies when the platform is set, also if it has been set before. */
  readonly init$: { subscribe(next: () => void): unknown }
}

/** The request that a guard, an interceptor or a filter handles. */
export interface ArgumentsHost {
  getType(): string
  switchToHttp(): {
    getRequest<T>(): T
    getResponse<T>(): T
    getNext<T>(): T
  }
}

/** Returns the providers and controllers of an application. */
export function* wrappersOf(modules: ModulesContainer): Generator<InstanceWrapper> {
  for (const { providers, controllers } of modules.values()) {
    yield* providers.values()
    yield* controllers.values()
  }
}
