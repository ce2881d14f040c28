// upkeep/nest: 12 values, 17 types. Written by `npm run api`; do not edit.

/** @stable */
export interface ArgumentsHost {
    getType(): string;
    switchToHttp(): {
        getRequest<T>(): T;
        getResponse<T>(): T;
        getNext<T>(): T;
    };
}

/** @stable */
export function Counted(options?: MeteredMethodOptions): MethodDecorator;

/** @stable */
export class ErrorDocumentFilter {
    #private;
    constructor(options?: ErrorDocumentFilterOptions);
    catch(exception: unknown, host: unknown): void;
}

/** @stable */
export interface ErrorDocumentFilterOptions {
    readonly report?: Report | undefined;
}

/** @stable */
export interface Guard {
    canActivate(context: ArgumentsHost): boolean | PromiseLike<boolean> | ObservableLike;
}

/** @stable */
export interface GuardOptions {
    principal?(request: object): MaybePromise<Principal | undefined>;
    readonly challenge?: string | undefined;
}

/** @stable */
export function Indicator(name: string, options?: IndicatorOptions): (target: new (...args: never[]) => IndicatorProvider) => void;

/** @stable */
export type IndicatorOptions = Omit<Extract<HealthIndicator, {
    readonly check: HealthCheck;
}>, 'check'>;

/** @stable */
export interface IndicatorProvider {
    check(signal: AbortSignal): ReturnType<HealthCheck> | ReturnType<TerminusCheck>;
}

/** @stable */
export function InjectMeter(name: string): ParameterDecorator & PropertyDecorator;

/** @stable */
export interface MeterProvider<M> {
    provide: string;
    inject: [
        typeof Meters
    ];
    useFactory: (meters: MeterRegistry) => M;
}

/** @stable */
export type Meters = MeterRegistry;
export const Meters: abstract new () => MeterRegistry;

/** @stable */
export interface NestHealthOptions extends Omit<NonNullable<ManagementOptions['health']>, 'indicators'> {
    readonly indicators?: Readonly<Record<string, NestIndicator>> | undefined;
}

/** @stable */
export type NestIndicator = HealthIndicator | TerminusCheck | TerminusAttempt | (IndicatorOptions & {
    readonly check: TerminusCheck;
});

/** @stable */
export type NestShutdownOptions = Pick<ShutdownOptions, 'delay' | 'timeout'>;

/** @stable */
export interface ObservableLike {
    subscribe(observer: {
        next: (value: boolean) => void;
        error: (error: unknown) => void;
        complete: () => void;
    }): unknown;
}

/** @stable */
export type TerminusAttempt = PromiseLike<TerminusResult>;

/** @stable */
export type TerminusCheck = () => TerminusResult | PromiseLike<TerminusResult>;

/** @stable */
export interface TerminusResult {
    readonly [key: string]: {
        readonly status: 'up' | 'degraded' | 'down';
    };
}

/** @stable */
export function Timed(options?: MeteredMethodOptions): MethodDecorator;

/** @stable */
export function Traced(options?: TracedMethodOptions): MethodDecorator;

/** @stable */
export type Upkeep = Management;
export const Upkeep: abstract new () => Management;

/** @stable */
export interface UpkeepDynamicModule {
    module: typeof UpkeepModule;
    imports: Promise<{
        module: new () => object;
    }>[];
}

/** @stable */
export class UpkeepModule {
    static forRoot(options?: UpkeepModuleOptions): UpkeepDynamicModule;
    static forRootAsync(options: UpkeepModuleAsyncOptions): UpkeepDynamicModule;
}

/** @stable */
export interface UpkeepModuleAsyncOptions {
    readonly imports?: readonly unknown[] | undefined;
    readonly inject?: readonly unknown[] | undefined;
    readonly useFactory: (...injected: never[]) => UpkeepModuleOptions | Promise<UpkeepModuleOptions>;
}

/** @stable */
export interface UpkeepModuleOptions extends Omit<ManagementOptions, 'health'> {
    readonly health?: NestHealthOptions | undefined;
    readonly shutdown?: NestShutdownOptions | undefined;
}

/** @stable */
export function authorizeByGuard(guard: Guard, options?: GuardOptions): Authorize;

/** @stable */
export function meterToken(name: string): string;

/** @stable */
export function provideMeter<M>(name: string, create: (meters: MeterRegistry, name: string) => M): MeterProvider<M>;
