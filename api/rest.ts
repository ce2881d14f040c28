// upkeep/rest: 34 values, 99 types. Written by `npm run api`; do not edit.

export interface Accepted<Value = unknown> extends Reply<Value> {
    readonly status: 202;
}

export type Accepts<Body> = Schema<Body> | Representation<Body> | BodyFormat<Body> | readonly BodyFormat<Body>[];

export type Access = 'public' | 'authorized' | {
    readonly roles: readonly string[];
};

export type AccessRule = Access | {
    readonly read?: Access | undefined;
    readonly write?: Access | undefined;
};

export interface Action<Path extends string = string> {
    readonly request: ManagementRequest;
    readonly variables: Variables<Path>;
    readonly query: URLSearchParams;
    readonly identify: () => MaybePromise<Principal | undefined>;
    readonly addressOf: (path: string) => string;
}

export type ActionResult<Value> = ActionValue<Value> | void;

export type ActionValue<Value> = Value | Reply<Value> | undefined;

export interface AppRoute {
    readonly method: string;
    readonly path: string;
    readonly archetype?: Archetype | undefined;
    readonly handler?: string | undefined;
    readonly isPattern?: boolean | undefined;
}

export type Archetype = 'document' | 'collection' | 'store' | 'controller';

export interface Authorize {
    (request: ManagementRequest): Principal | undefined | Promise<Principal | undefined>;
    readonly challenge?: string | undefined;
    readonly hasExplicitCredential?: ((request: ManagementRequest) => boolean) | undefined;
}

export type BodyContent = {
    readonly kind: 'bytes';
    readonly bytes: Uint8Array;
} | {
    readonly kind: 'parsed';
    readonly value: unknown;
};

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

export interface BrokenName {
    readonly path: string;
    readonly name: string;
    readonly reason: string;
}

export interface BrokenRoute extends AppRoute {
    readonly broken: readonly BrokenRule[];
}

export interface BrokenRule {
    readonly rule: PathRule;
    readonly segment?: string;
    readonly reason: string;
}

export interface BrokenUrlRule {
    readonly rule: 'url' | 'subdomain' | 'path';
    readonly reason: string;
}

export type Caching = 'no-store' | 'no-cache' | {
    readonly maxAgeSeconds: number;
};

export interface Call {
    readonly request: ManagementRequest;
    readonly variables: readonly string[];
    readonly query: URLSearchParams;
    readonly identify: () => MaybePromise<Principal | undefined>;
    readonly signal: AbortSignal;
    readonly extendIdleTimeout: (duration: Duration) => void;
}

export interface ChangeAction<Path extends string, Value, Body> extends WriteAction<Path, Body> {
    readonly current: Value;
}

export interface CheckBaseUrlOptions {
    readonly serves?: 'api' | 'developer' | undefined;
}

export interface CheckPathOptions {
    readonly archetype?: Archetype | undefined;
}

export interface CollectionOptions<Path extends string, Value, Body = Value, Filters = unknown, Criteria = unknown> extends Partial<ListingOptions<ParentPath<Path>, Value, Filters>>, Omit<MemberOptions<Path, Value, Body>, 'read'>, Partial<Pick<MemberOptions<Path, Value, Body>, 'read'>> {
    readonly create?: ((action: WriteAction<ParentPath<Path>, Body>) => Reply<Value> | Promise<Reply<Value>>) | undefined;
    readonly search?: Search<ParentPath<Path>, Value, Criteria> | undefined;
}

export interface CompatibilityOptions {
    readonly sides?: readonly ('response' | 'request')[] | undefined;
    readonly toJsonSchema?: ToJsonSchema | undefined;
}

export interface ControllerOptions<Path extends string, Value, Body = undefined> extends Omit<ResponseOptions<Path, Value>, 'lastModified' | 'caching'> {
    readonly access?: AccessRule | undefined;
    readonly accepts?: Accepts<Body> | undefined;
    readonly run: (action: WriteAction<Path, Body>) => ActionResult<Value> | Promise<ActionResult<Value>>;
    readonly summary?: string | undefined;
}

export interface DescribedContent {
    readonly mediaType: string;
    readonly schema?: Schema | JsonSchema | undefined;
    readonly name?: string | undefined;
    readonly isList?: boolean | undefined;
}

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

export interface DescribedParameter {
    readonly name: string;
    readonly description: string;
    readonly schema: JsonSchema;
}

export interface DescribedRepresentation {
    readonly kind: 'representation';
    readonly name: string;
    readonly mediaType: string;
    readonly versions: readonly [
        DescribedVersion,
        ...DescribedVersion[]
    ];
}

export interface DescribedResponse {
    readonly status: number;
    readonly description: string;
    readonly content?: readonly DescribedContent[] | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface DescribedVersion {
    readonly version: number;
    readonly schema: Schema;
    readonly mediaType: string;
    readonly schemaName: string;
}

export interface DescriptionOptions extends ServiceDescription {
    readonly management?: {
        readonly describeOperations: () => readonly DescribedOperation[];
    } | undefined;
}

export type DocumentOptions<Path extends string, Value, Body = Value> = MemberOptions<Path, Value, Body>;

export interface EmptyResponse {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
}

export interface ErrorMembers {
    readonly type?: string | undefined;
    readonly title?: string | undefined;
    readonly errors?: readonly Fault[] | undefined;
    readonly [member: string]: unknown;
}

export interface Fault {
    readonly path: string;
    readonly message: string;
}

export type FieldSelection = ReadonlyMap<string, FieldSelection | 'whole'>;

export type HandlerResult = Representation | EmptyResponse | undefined;

export class HttpError extends Error {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly members: ErrorMembers;
    constructor(status: number, message: string, { headers, members, ...options }?: HttpErrorOptions);
}

export interface HttpErrorOptions extends ErrorOptions {
    readonly headers?: Readonly<Record<string, string>>;
    readonly members?: ErrorMembers;
}

export interface Incompatibility {
    readonly path: string;
    readonly side: 'response' | 'request';
    readonly reason: string;
}

export interface Issue {
    readonly message: string;
    readonly path?: readonly (PropertyKey | {
        readonly key: PropertyKey;
    })[] | undefined;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface JsonSchemaSource {
    readonly input: (options: JsonSchemaTarget) => Readonly<Record<string, unknown>>;
    readonly output: (options: JsonSchemaTarget) => Readonly<Record<string, unknown>>;
}

export interface JsonSchemaTarget {
    readonly target: 'draft-2020-12';
    readonly libraryOptions?: Record<string, unknown> | undefined;
}

export interface JsonTextOptions {
    readonly maxDepth?: number | undefined;
}

export type Links = Readonly<Record<string, string | undefined>>;

export interface ListAction<Path extends string, Filters> extends Action<Path> {
    readonly page: PageRequest;
    readonly filters: Filters;
}

export interface ListingOptions<Path extends string, Value, Filters> {
    readonly list: (action: ListAction<Path, Filters>) => Page<Value> | Promise<Page<Value>>;
    readonly filters?: Schema<Filters> | undefined;
    readonly page?: PageLimits | undefined;
}

export interface ManagementRequest {
    readonly method: string;
    readonly target: string;
    readonly headers: MessageHeaders;
    readonly body: () => MessageBody;
    readonly base: string;
    readonly mountPath?: string | undefined;
    readonly requestId?: string | undefined;
    readonly traceId?: string | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly extendIdleTimeout?: ((milliseconds: number) => void) | undefined;
}

export interface ManagementResponse {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: ResponseBody;
}

export interface MemberOptions<Path extends string, Value, Body = Value> extends ResponseOptions<Path, Value> {
    readonly access?: AccessRule | undefined;
    readonly read: ReadResource<Path, Value>;
    readonly accepts?: Accepts<Body> | undefined;
    readonly replace?: ((action: ChangeAction<Path, Value, Body>) => ActionResult<Value> | Promise<ActionResult<Value>>) | undefined;
    readonly remove?: ((action: ChangeAction<Path, Value, undefined>) => boolean | ActionResult<never> | Promise<boolean | ActionResult<never>>) | undefined;
    readonly requirePrecondition?: boolean | undefined;
    readonly summary?: string | undefined;
}

export interface Offer {
    readonly mediaType: string;
    readonly render: (selection: FieldSelection | undefined) => RepresentationContent;
    readonly headers?: Readonly<Record<string, string>>;
}

export interface OlderVersion<Value> {
    readonly version: number;
    readonly schema: Schema;
    readonly from?: ((value: Value) => unknown) | undefined;
    readonly to?: ((value: never) => Value) | undefined;
}

export type OpenApiDocument = Readonly<Record<string, unknown>>;

export interface OperationDescription {
    readonly summary?: string | undefined;
    readonly query?: readonly DescribedParameter[];
    readonly request?: readonly DescribedContent[];
    readonly responses?: readonly DescribedResponse[];
}

export interface Page<Value> {
    readonly items: readonly Value[];
    readonly total?: number | undefined;
    readonly more?: boolean | undefined;
    readonly lastModified?: Date | number | undefined;
}

export interface PageLimits {
    readonly size?: number | undefined;
    readonly maximumSize?: number | undefined;
    readonly maximumStartIndex?: number | undefined;
}

export interface PageRequest {
    readonly size: number;
    readonly startIndex: number;
}

export type ParentPath<Path extends string> = Path extends `${infer Segment}/${infer Rest}` ? Rest extends `${string}/${string}` ? `${Segment}/${ParentPath<Rest>}` : Segment : '';

export type PathRule = 'trailing-slash' | 'empty-segment' | 'underscore' | 'file-extension' | 'upper-case' | 'characters' | 'crud-verb' | 'version' | 'repeated-variable' | 'plural' | 'singular' | 'verb';

export type PreconditionPolicy = 'none' | 'always' | 'occupied';

export interface Principal {
    readonly name: string;
    readonly roles?: readonly string[] | undefined;
}

export interface Problem extends ErrorMembers {
    readonly detail?: string | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
    readonly cause?: unknown;
}

export interface RangedContent {
    readonly size: number;
    readonly entityTag?: string | undefined;
    readonly read: (first: number, last: number) => AsyncIterable<Uint8Array>;
}

export type ReadResource<Path extends string, Value> = (action: Action<Path>) => Value | Redirect | undefined | Promise<Value | Redirect | undefined>;

export interface Redirect extends Reply<never> {
    readonly status: 301 | 303 | 307;
}

export interface Relation {
    readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined;
    readonly requestTypes?: readonly string[] | undefined;
    readonly description?: string | undefined;
}

export interface RelationDocument {
    readonly name: string;
    readonly description?: string;
    readonly method: string;
    readonly requestTypes: readonly string[];
}

export interface Reply<Value = unknown> {
    readonly [brand]: true;
    readonly status: number;
    readonly value: Value | undefined;
    readonly location: string | undefined;
    readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface ReplyOptions {
    readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface Representation<Value> extends DescribedRepresentation {
    readonly versions: readonly [
        RepresentationVersion<Value>,
        ...RepresentationVersion<Value>[]
    ];
}

export type RepresentationContent = string | Uint8Array | AsyncIterable<Uint8Array | string> | RangedContent;

export interface RepresentationOptions<Value> {
    readonly version?: number | undefined;
    readonly older?: readonly OlderVersion<Value>[] | undefined;
    readonly mediaType?: string | undefined;
}

export interface RepresentationVersion<Value> extends DescribedVersion {
    readonly write: (value: Value) => unknown;
    readonly read: (value: unknown) => Value;
}

export interface RequestHandler {
    (request: ManagementRequest): MaybePromise<ManagementResponse> | undefined;
    readonly templateOf?: ((request: ManagementRequest) => string | undefined) | undefined;
}

export interface RequestTypeOptions {
    readonly utf8?: boolean;
}

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

export type ResourceAccess = Access | ((method: string) => Access);

export interface ResourceDefinition {
    readonly kind: 'resource';
    readonly parts: readonly ResourcePart[];
}

export type ResourceHandler = (call: Call) => MaybePromise<HandlerResult>;

export interface ResourceOperation {
    readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    readonly access: Access;
    readonly guard: PreconditionPolicy;
    readonly inserts?: boolean | undefined;
    readonly perform: (call: Call, site: ResourceSettings) => Promise<HandlerResult>;
    readonly representations: readonly DescribedRepresentation[];
    readonly description: Pick<DescribedOperation, 'summary' | 'query' | 'filters' | 'request' | 'responses'>;
}

export interface ResourcePart {
    readonly path: string;
    readonly archetype: Archetype;
    readonly operations: readonly ResourceOperation[];
}

export interface ResourceSettings {
    readonly basePath: string;
    readonly relationsPath: string;
    readonly schemasPath: string;
    readonly relations: ReadonlySet<string>;
    readonly limitBytes: number;
    readonly maxDepth: number;
}

export interface Resources extends RequestHandler {
    readonly routes: readonly AppRoute[];
    readonly describe: () => OpenApiDocument;
}

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

export interface ResponseOptions<Path extends string, Value> {
    readonly representation?: Representation<Value> | undefined;
    readonly forms?: Readonly<Record<string, (value: Value, action: Action<Path>) => OfferContent>> | undefined;
    readonly links?: ((value: Value, action: Action<Path>) => Links) | undefined;
    readonly embeds?: Readonly<Record<string, (value: Value, action: Action<Path>) => unknown>> | undefined;
    readonly lastModified?: ((value: Value) => Date | number | undefined) | undefined;
    readonly caching?: Caching | undefined;
}

export interface Route {
    readonly path: string;
    readonly resource: Resource;
}

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

export type SchemaDirection = 'input' | 'output';

export type SchemaResult<Output> = {
    readonly value: Output;
    readonly issues?: undefined;
} | {
    readonly issues: readonly Issue[];
};

export interface Search<Path extends string, Value, Criteria> {
    readonly criteria: Schema<Criteria>;
    readonly run: (action: WriteAction<Path, Criteria> & {
        readonly page: PageRequest;
    }) => Page<Value> | Promise<Page<Value>>;
}

export interface ServeRoutesOptions {
    readonly basePath: string;
    readonly authorize: Authorize | undefined;
    readonly clock: Clock;
    readonly report: Report;
    readonly refuseCrossSite?: boolean | undefined;
    readonly draining?: AbortSignal | undefined;
}

export interface ServiceDescription {
    readonly title: string;
    readonly version: string;
    readonly description?: string | undefined;
    readonly servers?: readonly string[] | undefined;
}

export interface StoreOptions<Path extends string, Value, Body = Value, Filters = unknown> extends Partial<ListingOptions<ParentPath<Path>, Value, Filters>>, Omit<MemberOptions<Path, Value, Body>, 'replace'> {
    readonly put?: ((action: ChangeAction<Path, Value | undefined, Body>) => ActionResult<Value> | Promise<ActionResult<Value>>) | undefined;
    readonly drop?: ((action: Action<ParentPath<Path>>) => void | Promise<void>) | undefined;
}

export interface StreamedContent extends AsyncIterable<Uint8Array> {
    borrow?(): AsyncIterable<Uint8Array>;
}

export type ToJsonSchema = {
    convert(schema: Schema, options: {
        readonly io: SchemaDirection;
        readonly target: 'draft-2020-12';
        readonly unrepresentable: 'any';
    }): unknown;
}['convert'];

export type ValueSource = 'body' | 'query';

export type Variables<Path extends string> = Path extends `${infer Segment}/${infer Rest}` ? Variables<Segment> & Variables<Rest> : Path extends `{${infer Name}}` ? {
    readonly [Key in Name]: string;
} : unknown;

export type WholeBody = {
    readonly kind: 'bytes';
    readonly bytes: Uint8Array;
} | {
    readonly kind: 'parsed';
    readonly value: unknown;
};

export interface WriteAction<Path extends string, Body> extends Action<Path> {
    readonly body: Body;
}

export function accepted<Value = never>(location: string, value?: Value, options?: ReplyOptions): Accepted<Value>;

export function bytesBody(mediaTypes?: readonly [
    string,
    ...string[]
]): BodyFormat<Uint8Array>;

export function checkBaseUrl(url: string, options?: CheckBaseUrlOptions): readonly BrokenUrlRule[];

export function checkCompatibility(older: Schema | JsonSchema, newer: Schema | JsonSchema, options?: CompatibilityOptions): readonly Incompatibility[];

export function checkNames(schema: Schema | JsonSchema, { toJsonSchema }?: {
    readonly toJsonSchema?: ToJsonSchema | undefined;
}): readonly BrokenName[];

export function checkPath(path: string, options?: CheckPathOptions): readonly BrokenRule[];

export function checkRoutes(app: object): readonly BrokenRoute[];

export function collection<const Path extends string, Value, Body = Value, Filters = unknown, Criteria = unknown>(path: Path, options: CollectionOptions<Path, Value, Body, Filters, Criteria>): ResourceDefinition;

export function controller<const Path extends string, Value, Body = undefined>(path: Path, options: ControllerOptions<Path, Value, Body>): ResourceDefinition;

export function createResources(options: ResourcesOptions): Resources;

export function created<Value = never>(location: string, value?: Value, options?: ReplyOptions): Reply<Value>;

export function decodeUtf8(bytes: Uint8Array): string;

export function document<const Path extends string, Value, Body = Value>(path: Path, options: DocumentOptions<Path, Value, Body>): ResourceDefinition;

export function faultsOf(issues: readonly Issue[], source?: ValueSource): readonly Fault[];

export function formBody<Body = Readonly<Record<string, string | readonly string[]>>>(schema?: Schema<Body>): BodyFormat<Body>;

export function isHttpError(error: unknown): error is HttpError;

export function jsonBody<Body = unknown>(schema?: Schema<Body>, { mediaTypes }?: {
    readonly mediaTypes?: readonly [
        string,
        ...string[]
    ];
}): BodyFormat<Body>;

export function movedPermanently(location: string, options?: ReplyOptions): Redirect;

export function noContent(options?: ReplyOptions): Reply<never>;

export function offerJson(value: unknown, mediaTypes: readonly [
    string,
    ...string[]
]): readonly [
    Offer,
    ...Offer[]
];

export function ok<Value>(value: Value, options?: ReplyOptions): Reply<Value>;

export function parseJson(bytes: Uint8Array, { maxDepth }?: JsonTextOptions): unknown;

export function pathTo<const Path extends string>(template: Path, variables: Variables<Path>): string;

export function problem(status: number, { detail, headers, cause, ...members }?: Problem): HttpError;

export function readBody(request: ManagementRequest, limitBytes: number): Promise<WholeBody>;

export function representation<Value>(name: string, schema: Schema<Value>, options?: RepresentationOptions<Value>): Representation<Value>;

export function requestTypeOf(headers: MessageHeaders, accepted: readonly string[], { utf8 }?: RequestTypeOptions): string;

export function seeOther(location: string, options?: ReplyOptions): Redirect;

export function serveRoutes(routes: readonly Route[], options: ServeRoutesOptions): RequestHandler;

export function store<const Path extends string, Value, Body = Value, Filters = unknown>(path: Path, options: StoreOptions<Path, Value, Body, Filters>): ResourceDefinition;

export function temporaryRedirect(location: string, options?: ReplyOptions): Redirect;

export function textBody(mediaTypes?: readonly [
    string,
    ...string[]
]): BodyFormat<string>;

export function validate<Output>(schema: Schema<Output>, value: unknown, source?: ValueSource): Promise<Output>;
