// upkeep/rest: 34 values, 99 types. Written by `npm run api`; do not edit.

/** @experimental */
export interface Accepted<Value = unknown> extends Reply<Value> {
    readonly status: 202;
}

/** @experimental */
export type Accepts<Body> = Schema<Body> | Representation<Body> | BodyFormat<Body> | readonly BodyFormat<Body>[];

/** @experimental */
export type Access = 'public' | 'authorized' | {
    readonly roles: readonly string[];
};

/** @experimental */
export type AccessRule = Access | {
    readonly read?: Access | undefined;
    readonly write?: Access | undefined;
};

/** @experimental */
export interface Action<Path extends string = string> {
    readonly request: ManagementRequest;
    readonly variables: Variables<Path>;
    readonly query: URLSearchParams;
    readonly identify: () => MaybePromise<Principal | undefined>;
    readonly addressOf: (path: string) => string;
}

/** @experimental */
export type ActionResult<Value> = ActionValue<Value> | void;

/** @experimental */
export type ActionValue<Value> = Value | Reply<Value> | undefined;

/** @experimental */
export interface AppRoute {
    readonly method: string;
    readonly path: string;
    readonly archetype?: Archetype | undefined;
    readonly handler?: string | undefined;
    readonly isPattern?: boolean | undefined;
}

/** @experimental */
export type Archetype = 'document' | 'collection' | 'store' | 'controller';

/** @experimental */
export interface Authorize {
    (request: ManagementRequest): Principal | undefined | Promise<Principal | undefined>;
    readonly challenge?: string | undefined;
    readonly hasExplicitCredential?: ((request: ManagementRequest) => boolean) | undefined;
}

/** @experimental */
export type BodyContent = {
    readonly kind: 'bytes';
    readonly bytes: Uint8Array;
} | {
    readonly kind: 'parsed';
    readonly value: unknown;
};

/** @experimental */
export interface BodyFormat<Body> {
    readonly kind: 'body-format';
    readonly mediaTypes: readonly [
        string,
        ...string[]
    ];
    readonly utf8: boolean;
    readonly schema: Schema | undefined;
    readonly schemaName?: string | undefined;
    readonly decode: (content: BodyContent, maxDepth: number) => Body | Promise<Body>;
}

/** @experimental */
export interface BrokenName {
    readonly path: string;
    readonly name: string;
    readonly reason: string;
}

/** @experimental */
export interface BrokenRoute extends AppRoute {
    readonly broken: readonly BrokenRule[];
}

/** @experimental */
export interface BrokenRule {
    readonly rule: PathRule;
    readonly segment?: string;
    readonly reason: string;
}

/** @experimental */
export interface BrokenUrlRule {
    readonly rule: 'url' | 'subdomain' | 'path';
    readonly reason: string;
}

/** @experimental */
export type Caching = 'no-store' | 'no-cache' | {
    readonly maxAgeSeconds: number;
};

/** @experimental */
export interface Call {
    readonly request: ManagementRequest;
    readonly variables: readonly string[];
    readonly query: URLSearchParams;
    readonly identify: () => MaybePromise<Principal | undefined>;
    readonly signal: AbortSignal;
    readonly extendIdleTimeout: (duration: Duration) => void;
}

/** @experimental */
export interface ChangeAction<Path extends string, Value, Body> extends WriteAction<Path, Body> {
    readonly current: Value;
}

/** @experimental */
export interface CheckBaseUrlOptions {
    readonly serves?: 'api' | 'developer' | undefined;
}

/** @experimental */
export interface CheckPathOptions {
    readonly archetype?: Archetype | undefined;
}

/** @experimental */
export interface CollectionOptions<Path extends string, Value, Body = Value, Filters = unknown, Criteria = unknown> extends Partial<ListingOptions<ParentPath<Path>, Value, Filters>>, Omit<MemberOptions<Path, Value, Body>, 'read'>, Partial<Pick<MemberOptions<Path, Value, Body>, 'read'>> {
    readonly create?: ((action: WriteAction<ParentPath<Path>, Body>) => Reply<Value> | Promise<Reply<Value>>) | undefined;
    readonly search?: Search<ParentPath<Path>, Value, Criteria> | undefined;
}

/** @experimental */
export interface CompatibilityOptions {
    readonly sides?: readonly ('response' | 'request')[] | undefined;
    readonly toJsonSchema?: ToJsonSchema | undefined;
}

/** @experimental */
export interface ControllerOptions<Path extends string, Value, Body = undefined> extends Omit<ResponseOptions<Path, Value>, 'lastModified' | 'caching'> {
    readonly access?: AccessRule | undefined;
    readonly accepts?: Accepts<Body> | undefined;
    readonly run: (action: WriteAction<Path, Body>) => ActionResult<Value> | Promise<ActionResult<Value>>;
    readonly summary?: string | undefined;
}

/** @experimental */
export interface DescribedContent {
    readonly mediaType: string;
    readonly schema?: Schema | JsonSchema | undefined;
    readonly name?: string | undefined;
    readonly isList?: boolean | undefined;
}

/** @experimental */
export interface DescribedOperation extends Required<Omit<OperationDescription, 'summary'>> {
    readonly path: string;
    readonly method: string;
    readonly archetype?: string | undefined;
    readonly summary?: string | undefined;
    readonly authorized: boolean;
    readonly scheme?: string | undefined;
    readonly filters?: Schema | undefined;
    readonly isConditional: boolean;
}

/** @experimental */
export interface DescribedParameter {
    readonly name: string;
    readonly description: string;
    readonly schema: JsonSchema;
}

/** @experimental */
export interface DescribedRepresentation {
    readonly kind: 'representation';
    readonly name: string;
    readonly mediaType: string;
    readonly versions: readonly [
        DescribedVersion,
        ...DescribedVersion[]
    ];
}

/** @experimental */
export interface DescribedResponse {
    readonly status: number;
    readonly description: string;
    readonly content?: readonly DescribedContent[] | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** @experimental */
export interface DescribedVersion {
    readonly version: number;
    readonly schema: Schema;
    readonly mediaType: string;
    readonly schemaName: string;
}

/** @experimental */
export interface DescriptionOptions extends ServiceDescription {
    readonly management?: {
        readonly describeOperations: () => readonly DescribedOperation[];
    } | undefined;
}

/** @experimental */
export type DocumentOptions<Path extends string, Value, Body = Value> = MemberOptions<Path, Value, Body>;

/** @experimental */
export interface EmptyResponse {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
}

/** @experimental */
export interface ErrorMembers {
    readonly type?: string | undefined;
    readonly title?: string | undefined;
    readonly errors?: readonly Fault[] | undefined;
    readonly [member: string]: unknown;
}

/** @experimental */
export interface Fault {
    readonly path: string;
    readonly message: string;
}

/** @experimental */
export type FieldSelection = ReadonlyMap<string, FieldSelection | 'whole'>;

/** @experimental */
export type HandlerResult = Representation | EmptyResponse | undefined;

/** @experimental */
export class HttpError extends Error {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly members: ErrorMembers;
    constructor(status: number, message: string, { headers, members, ...options }?: HttpErrorOptions);
}

/** @experimental */
export interface HttpErrorOptions extends ErrorOptions {
    readonly headers?: Readonly<Record<string, string>>;
    readonly members?: ErrorMembers;
}

/** @experimental */
export interface Incompatibility {
    readonly path: string;
    readonly side: 'response' | 'request';
    readonly reason: string;
}

/** @experimental */
export interface Issue {
    readonly message: string;
    readonly path?: readonly (PropertyKey | {
        readonly key: PropertyKey;
    })[] | undefined;
}

/** @experimental */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** @experimental */
export interface JsonSchemaSource {
    readonly input: (options: JsonSchemaTarget) => Readonly<Record<string, unknown>>;
    readonly output: (options: JsonSchemaTarget) => Readonly<Record<string, unknown>>;
}

/** @experimental */
export interface JsonSchemaTarget {
    readonly target: 'draft-2020-12';
    readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** @experimental */
export interface JsonTextOptions {
    readonly maxDepth?: number | undefined;
}

/** @experimental */
export type Links = Readonly<Record<string, string | undefined>>;

/** @experimental */
export interface ListAction<Path extends string, Filters> extends Action<Path> {
    readonly page: PageRequest;
    readonly filters: Filters;
}

/** @experimental */
export interface ListingOptions<Path extends string, Value, Filters> {
    readonly list: (action: ListAction<Path, Filters>) => Page<Value> | Promise<Page<Value>>;
    readonly filters?: Schema<Filters> | undefined;
    readonly page?: PageLimits | undefined;
}

/** @experimental */
export interface ManagementRequest {
    readonly method: string;
    readonly target: string;
    readonly headers: MessageHeaders;
    readonly body: () => MessageBody;
    readonly base: string;
    readonly mountPath?: string | undefined;
    readonly requestId?: string | undefined;
    readonly traceId?: string | undefined;
    readonly remoteAddress?: string | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly extendIdleTimeout?: ((milliseconds: number) => void) | undefined;
}

/** @experimental */
export interface ManagementResponse {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: ResponseBody;
}

/** @experimental */
export interface MemberOptions<Path extends string, Value, Body = Value> extends ResponseOptions<Path, Value> {
    readonly access?: AccessRule | undefined;
    readonly read: ReadResource<Path, Value>;
    readonly accepts?: Accepts<Body> | undefined;
    readonly replace?: ((action: ChangeAction<Path, Value, Body>) => ActionResult<Value> | Promise<ActionResult<Value>>) | undefined;
    readonly remove?: ((action: ChangeAction<Path, Value, undefined>) => boolean | ActionResult<never> | Promise<boolean | ActionResult<never>>) | undefined;
    readonly requirePrecondition?: boolean | undefined;
    readonly summary?: string | undefined;
}

/** @experimental */
export interface Offer {
    readonly mediaType: string;
    readonly render: (selection: FieldSelection | undefined) => RepresentationContent;
    readonly headers?: Readonly<Record<string, string>>;
}

/** @experimental */
export interface OlderVersion<Value> {
    readonly version: number;
    readonly schema: Schema;
    readonly from?: ((value: Value) => unknown) | undefined;
    readonly to?: ((value: never) => Value) | undefined;
}

/** @experimental */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** @experimental */
export interface OperationDescription {
    readonly summary?: string | undefined;
    readonly query?: readonly DescribedParameter[];
    readonly request?: readonly DescribedContent[];
    readonly responses?: readonly DescribedResponse[];
}

/** @experimental */
export interface Page<Value> {
    readonly items: readonly Value[];
    readonly total?: number | undefined;
    readonly more?: boolean | undefined;
    readonly lastModified?: Date | number | undefined;
}

/** @experimental */
export interface PageLimits {
    readonly size?: number | undefined;
    readonly maximumSize?: number | undefined;
    readonly maximumStartIndex?: number | undefined;
}

/** @experimental */
export interface PageRequest {
    readonly size: number;
    readonly startIndex: number;
}

/** @experimental */
export type ParentPath<Path extends string> = Path extends `${infer Segment}/${infer Rest}` ? Rest extends `${string}/${string}` ? `${Segment}/${ParentPath<Rest>}` : Segment : '';

/** @experimental */
export type PathRule = 'trailing-slash' | 'empty-segment' | 'underscore' | 'file-extension' | 'upper-case' | 'characters' | 'crud-verb' | 'version' | 'repeated-variable' | 'plural' | 'singular' | 'verb';

/** @experimental */
export type PreconditionPolicy = 'none' | 'always' | 'occupied';

/** @experimental */
export interface Principal {
    readonly name: string;
    readonly roles?: readonly string[] | undefined;
}

/** @experimental */
export interface Problem extends ErrorMembers {
    readonly detail?: string | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly cause?: unknown;
}

/** @experimental */
export interface RangedContent {
    readonly size: number;
    readonly entityTag?: string | undefined;
    readonly read: (first: number, last: number) => AsyncIterable<Uint8Array>;
}

/** @experimental */
export type ReadResource<Path extends string, Value> = (action: Action<Path>) => Value | Redirect | undefined | Promise<Value | Redirect | undefined>;

/** @experimental */
export interface Redirect extends Reply<never> {
    readonly status: 301 | 303 | 307;
}

/** @experimental */
export interface Relation {
    readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined;
    readonly requestTypes?: readonly string[] | undefined;
    readonly description?: string | undefined;
}

/** @experimental */
export interface RelationDocument {
    readonly name: string;
    readonly description?: string;
    readonly method: string;
    readonly requestTypes: readonly string[];
}

/** @experimental */
export interface Reply<Value = unknown> {
    readonly [brand]: true;
    readonly status: number;
    readonly value: Value | undefined;
    readonly location: string | undefined;
    readonly headers: Readonly<Record<string, string | undefined>>;
}

/** @experimental */
export interface ReplyOptions {
    readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** @experimental */
export interface Representation<Value> extends DescribedRepresentation {
    readonly versions: readonly [
        RepresentationVersion<Value>,
        ...RepresentationVersion<Value>[]
    ];
}

/** @experimental */
export type RepresentationContent = string | Uint8Array | AsyncIterable<Uint8Array | string> | RangedContent;

/** @experimental */
export interface RepresentationOptions<Value> {
    readonly version?: number | undefined;
    readonly older?: readonly OlderVersion<Value>[] | undefined;
    readonly mediaType?: string | undefined;
}

/** @experimental */
export interface RepresentationVersion<Value> extends DescribedVersion {
    readonly write: (value: Value) => unknown;
    readonly read: (value: unknown) => Value;
}

/** @experimental */
export interface RequestHandler {
    (request: ManagementRequest): MaybePromise<ManagementResponse> | undefined;
    readonly templateOf?: ((request: ManagementRequest) => string | undefined) | undefined;
}

/** @experimental */
export interface RequestTypeOptions {
    readonly utf8?: boolean;
}

/** @experimental */
export interface Resource {
    readonly access?: ResourceAccess;
    readonly refusesCrossSiteReads?: boolean;
    readonly guard?: PreconditionPolicy | ((method: string) => PreconditionPolicy);
    readonly inserts?: boolean;
    readonly get?: ResourceHandler;
    readonly post?: ResourceHandler;
    readonly put?: ResourceHandler;
    readonly patch?: ResourceHandler;
    readonly delete?: ResourceHandler;
}

/** @experimental */
export type ResourceAccess = Access | ((method: string) => Access);

/** @experimental */
export interface ResourceDefinition {
    readonly kind: 'resource';
    readonly parts: readonly ResourcePart[];
}

/** @experimental */
export type ResourceHandler = (call: Call) => MaybePromise<HandlerResult>;

/** @experimental */
export interface ResourceOperation {
    readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    readonly access: Access;
    readonly guard: PreconditionPolicy;
    readonly inserts?: boolean | undefined;
    readonly perform: (call: Call, site: ResourceSettings) => Promise<HandlerResult>;
    readonly representations: readonly DescribedRepresentation[];
    readonly description: Pick<DescribedOperation, 'summary' | 'query' | 'filters' | 'request' | 'responses'>;
}

/** @experimental */
export interface ResourcePart {
    readonly path: string;
    readonly archetype: Archetype;
    readonly operations: readonly ResourceOperation[];
}

/** @experimental */
export interface ResourceSettings {
    readonly basePath: string;
    readonly relationsPath: string;
    readonly schemasPath: string;
    readonly relations: ReadonlySet<string>;
    readonly limitBytes: number;
    readonly maxDepth: number;
}

/** @experimental */
export interface Resources extends RequestHandler {
    readonly routes: readonly AppRoute[];
    readonly describe: () => OpenApiDocument;
}

/** @experimental */
export interface ResourcesOptions {
    readonly resources: readonly ResourceDefinition[];
    readonly basePath?: string | undefined;
    readonly relations?: Readonly<Record<string, Relation>> | undefined;
    readonly description?: DescriptionOptions | undefined;
    readonly authorize?: Authorize | undefined;
    readonly bodyLimitBytes?: number | undefined;
    readonly maxBodyDepth?: number | undefined;
    readonly toJsonSchema?: ToJsonSchema | undefined;
    readonly clock?: Clock | undefined;
    readonly report?: Report | undefined;
}

/** @experimental */
export interface ResponseOptions<Path extends string, Value> {
    readonly representation?: Representation<Value> | undefined;
    readonly forms?: Readonly<Record<string, (value: Value, action: Action<Path>) => OfferContent>> | undefined;
    readonly links?: ((value: Value, action: Action<Path>) => Links) | undefined;
    readonly embeds?: Readonly<Record<string, (value: Value, action: Action<Path>) => unknown>> | undefined;
    readonly lastModified?: ((value: Value) => Date | number | undefined) | undefined;
    readonly caching?: Caching | undefined;
}

/** @experimental */
export interface Route {
    readonly path: string;
    readonly resource: Resource;
}

/** @experimental */
export interface Schema<Output = unknown> {
    readonly '~standard': {
        readonly version: 1;
        readonly vendor: string;
        readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
        readonly types?: {
            readonly input: unknown;
            readonly output: Output;
        } | undefined;
        readonly jsonSchema?: JsonSchemaSource | undefined;
    };
}

/** @experimental */
export type SchemaDirection = 'input' | 'output';

/** @experimental */
export type SchemaResult<Output> = {
    readonly value: Output;
    readonly issues?: undefined;
} | {
    readonly issues: readonly Issue[];
};

/** @experimental */
export interface Search<Path extends string, Value, Criteria> {
    readonly criteria: Schema<Criteria>;
    readonly run: (action: WriteAction<Path, Criteria> & {
        readonly page: PageRequest;
    }) => Page<Value> | Promise<Page<Value>>;
}

/** @experimental */
export interface ServeRoutesOptions {
    readonly basePath: string;
    readonly authorize: Authorize | undefined;
    readonly clock: Clock;
    readonly report: Report;
    readonly refuseCrossSite?: boolean | undefined;
    readonly draining?: AbortSignal | undefined;
}

/** @experimental */
export interface ServiceDescription {
    readonly title: string;
    readonly version: string;
    readonly description?: string | undefined;
    readonly servers?: readonly string[] | undefined;
}

/** @experimental */
export interface StoreOptions<Path extends string, Value, Body = Value, Filters = unknown> extends Partial<ListingOptions<ParentPath<Path>, Value, Filters>>, Omit<MemberOptions<Path, Value, Body>, 'replace'> {
    readonly put?: ((action: ChangeAction<Path, Value | undefined, Body>) => ActionResult<Value> | Promise<ActionResult<Value>>) | undefined;
    readonly drop?: ((action: Action<ParentPath<Path>>) => void | Promise<void>) | undefined;
}

/** @experimental */
export interface StreamedContent extends AsyncIterable<Uint8Array> {
    borrow?(): AsyncIterable<Uint8Array>;
}

/** @experimental */
export type ToJsonSchema = {
    convert(schema: Schema, options: {
        readonly io: SchemaDirection;
        readonly target: 'draft-2020-12';
        readonly unrepresentable: 'any';
    }): unknown;
}['convert'];

/** @experimental */
export type ValueSource = 'body' | 'query';

/** @experimental */
export type Variables<Path extends string> = Path extends `${infer Segment}/${infer Rest}` ? Variables<Segment> & Variables<Rest> : Path extends `{${infer Name}}` ? {
    readonly [Key in Name]: string;
} : unknown;

/** @experimental */
export type WholeBody = {
    readonly kind: 'bytes';
    readonly bytes: Uint8Array;
} | {
    readonly kind: 'parsed';
    readonly value: unknown;
};

/** @experimental */
export interface WriteAction<Path extends string, Body> extends Action<Path> {
    readonly body: Body;
}

/** @experimental */
export function accepted<Value = never>(location: string, value?: Value, options?: ReplyOptions): Accepted<Value>;

/** @experimental */
export function bytesBody(mediaTypes?: readonly [
    string,
    ...string[]
]): BodyFormat<Uint8Array>;

/** @experimental */
export function checkBaseUrl(url: string, options?: CheckBaseUrlOptions): readonly BrokenUrlRule[];

/** @experimental */
export function checkCompatibility(older: Schema | JsonSchema, newer: Schema | JsonSchema, options?: CompatibilityOptions): readonly Incompatibility[];

/** @experimental */
export function checkNames(schema: Schema | JsonSchema, { toJsonSchema }?: {
    readonly toJsonSchema?: ToJsonSchema | undefined;
}): readonly BrokenName[];

/** @experimental */
export function checkPath(path: string, options?: CheckPathOptions): readonly BrokenRule[];

/** @experimental */
export function checkRoutes(app: object): readonly BrokenRoute[];

/** @experimental */
export function collection<const Path extends string, Value, Body = Value, Filters = unknown, Criteria = unknown>(path: Path, options: CollectionOptions<Path, Value, Body, Filters, Criteria>): ResourceDefinition;

/** @experimental */
export function controller<const Path extends string, Value, Body = undefined>(path: Path, options: ControllerOptions<Path, Value, Body>): ResourceDefinition;

/** @experimental */
export function createResources(options: ResourcesOptions): Resources;

/** @experimental */
export function created<Value = never>(location: string, value?: Value, options?: ReplyOptions): Reply<Value>;

/** @experimental */
export function decodeUtf8(bytes: Uint8Array): string;

/** @experimental */
export function document<const Path extends string, Value, Body = Value>(path: Path, options: DocumentOptions<Path, Value, Body>): ResourceDefinition;

/** @experimental */
export function faultsOf(issues: readonly Issue[], source?: ValueSource): readonly Fault[];

/** @experimental */
export function formBody<Body = Readonly<Record<string, string | readonly string[]>>>(schema?: Schema<Body>): BodyFormat<Body>;

/** @experimental */
export function isHttpError(error: unknown): error is HttpError;

/** @experimental */
export function jsonBody<Body = unknown>(schema?: Schema<Body>, { mediaTypes }?: {
    readonly mediaTypes?: readonly [
        string,
        ...string[]
    ];
}): BodyFormat<Body>;

/** @experimental */
export function movedPermanently(location: string, options?: ReplyOptions): Redirect;

/** @experimental */
export function noContent(options?: ReplyOptions): Reply<never>;

/** @experimental */
export function offerJson(value: unknown, mediaTypes: readonly [
    string,
    ...string[]
]): readonly [
    Offer,
    ...Offer[]
];

/** @experimental */
export function ok<Value>(value: Value, options?: ReplyOptions): Reply<Value>;

/** @experimental */
export function parseJson(bytes: Uint8Array, { maxDepth }?: JsonTextOptions): unknown;

/** @experimental */
export function pathTo<const Path extends string>(template: Path, variables: Variables<Path>): string;

/** @experimental */
export function problem(status: number, { detail, headers, cause, ...members }?: Problem): HttpError;

/** @experimental */
export function readBody(request: ManagementRequest, limitBytes: number): Promise<WholeBody>;

/** @experimental */
export function representation<Value>(name: string, schema: Schema<Value>, options?: RepresentationOptions<Value>): Representation<Value>;

/** @experimental */
export function requestTypeOf(headers: MessageHeaders, accepted: readonly string[], { utf8 }?: RequestTypeOptions): string;

/** @experimental */
export function seeOther(location: string, options?: ReplyOptions): Redirect;

/** @experimental */
export function serveRoutes(routes: readonly Route[], options: ServeRoutesOptions): RequestHandler;

/** @experimental */
export function store<const Path extends string, Value, Body = Value, Filters = unknown>(path: Path, options: StoreOptions<Path, Value, Body, Filters>): ResourceDefinition;

/** @experimental */
export function temporaryRedirect(location: string, options?: ReplyOptions): Redirect;

/** @experimental */
export function textBody(mediaTypes?: readonly [
    string,
    ...string[]
]): BodyFormat<string>;

/** @experimental */
export function validate<Output>(schema: Schema<Output>, value: unknown, source?: ValueSource): Promise<Output>;
