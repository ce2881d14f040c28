// upkeep/nest: 12 values, 17 types. Written by `npm run api`; do not edit.

export interface ArgumentsHost {
    getType(): string;
    switchToHttp(): {
        getRequest<T>(): T;
        getResponse<T>(): T;
        getNext<T>(): T;
    };
}

export function Counted(options?: MeteredMethodOptions): MethodDecorator;

export class ErrorDocumentFilter {
    #private;
    constructor(options?: ErrorDocumentFilterOptions);
    catch(exception: unknown, host: unknown): void;
}

export interface ErrorDocumentFilterOptions {
    readonly report?: Report | undefined;
}

export interface Guard {
    canActivate(context: ArgumentsHost): boolean | PromiseLike<boolean> | ObservableLike;
}

export interface GuardOptions {
    principal?(request: object): MaybePromise<Principal | undefined>;
    readonly challenge?: string | undefined;
}

export function Indicator(name: string, options?: IndicatorOptions): (target: new (...args: never[]) => IndicatorProvider) => void;

export type IndicatorOptions = Omit<Extract<HealthIndicator, {
    readonly check: HealthCheck;
}>, 'check'>;

export interface IndicatorProvider {
    check(signal: AbortSignal): ReturnType<HealthCheck> | ReturnType<TerminusCheck>;
}

export function InjectMeter(name: string): ParameterDecorator & PropertyDecorator;

export interface MeterProvider<M> {
    provide: string;
    inject: [
        typeof Meters
    ];
    useFactory: (meters: MeterRegistry) => M;
}

export type Meters = MeterRegistry;
export const Meters: abstract new () => MeterRegistry;

export interface NestHealthOptions extends Omit<NonNullable<ManagementOptions['health']>, 'indicators'> {
    readonly indicators?: Readonly<Record<string, NestIndicator>> | undefined;
}

export type NestIndicator = HealthIndicator | TerminusCheck | TerminusAttempt | (IndicatorOptions & {
    readonly check: TerminusCheck;
});

export type NestShutdownOptions = Pick<ShutdownOptions, 'delay' | 'timeout'>;

export interface ObservableLike {
    subscribe(observer: {
        next: (value: boolean) => void;
        error: (error: unknown) => void;
        complete: () => void;
    }): unknown;
}

export type TerminusAttempt = PromiseLike<TerminusResult>;

export type TerminusCheck = () => TerminusResult | PromiseLike<TerminusResult>;

export interface TerminusResult {
    readonly [key: string]: {
        readonly status: 'up' | 'degraded' | 'down';
    };
}

export function Timed(options?: MeteredMethodOptions): MethodDecorator;

export function Traced(options?: TracedMethodOptions): MethodDecorator;

export type Upkeep = Management;
export const Upkeep: abstract new () => Management;

export interface UpkeepDynamicModule {
    module: typeof UpkeepModule;
    imports: Promise<{
        module: new () => object;
    }>[];
}

export class UpkeepModule {
    static forRoot(options?: UpkeepModuleOptions): UpkeepDynamicModule;
    static forRootAsync(options: UpkeepModuleAsyncOptions): UpkeepDynamicModule;
}

export interface UpkeepModuleAsyncOptions {
    readonly imports?: readonly unknown[] | undefined;
    readonly inject?: readonly unknown[] | undefined;
    readonly useFactory: (...injected: never[]) => UpkeepModuleOptions | Promise<UpkeepModuleOptions>;
}

export interface UpkeepModuleOptions extends Omit<ManagementOptions, 'health'> {
    readonly health?: NestHealthOptions | undefined;
    readonly shutdown?: NestShutdownOptions | undefined;
}

export function authorizeByGuard(guard: Guard, options?: GuardOptions): Authorize;

export function meterToken(name: string): string;

export function provideMeter<M>(name: string, create: (meters: MeterRegistry, name: string) => M): MeterProvider<M>;
