// upkeep/ids: 31 values, 16 types. Written by `npm run api`; do not edit.

/** @stable */
export interface BaggageMember {
    readonly key: string;
    readonly value: string;
    readonly properties?: string | undefined;
}

/** @stable */
export interface GregorianUuid extends UuidBase {
    readonly kind: 'gregorian';
    readonly timestamp: number;
    readonly ticks: bigint;
    readonly clockSequence: number;
    readonly node: string;
}

/** @stable */
export interface OpaqueUuid extends UuidBase {
    readonly kind: 'nil' | 'max' | 'name' | 'random' | 'custom' | 'other';
}

/** @stable */
export interface OrderedUuidOptions {
    readonly clock?: Clock;
    readonly random?: RandomSource;
    readonly toleratedStepBack?: Duration;
    readonly beyondStepBack?: 'restart' | 'throw';
}

/** @stable */
export interface RandomSource {
    fill(bytes: Uint8Array): void;
}

/** @stable */
export interface RequestIdOptions {
    readonly longest?: number;
    readonly generate?: () => string;
}

/** @stable */
export interface TraceContext {
    readonly traceId: string;
    readonly spanId: string;
    readonly flags: number;
    readonly tracestate?: string | undefined;
}

/** @stable */
export interface TraceIds {
    traceId(): string;
    spanId(): string;
}

/** @stable */
export interface TraceIdsOptions {
    readonly random?: RandomSource;
}

/** @stable */
export interface TracestateMember {
    readonly key: string;
    readonly value: string;
}

/** @stable */
export interface UnixUuid extends UuidBase {
    readonly kind: 'unix';
    readonly timestamp: number;
}

/** @stable */
export type Uuid = GregorianUuid | UnixUuid | OpaqueUuid;

/** @stable */
export interface UuidBase {
    readonly text: string;
    readonly version: number;
    readonly variant: UuidVariant;
    readonly bytes: Uint8Array;
}

/** @stable */
export interface UuidForms {
    readonly upperCase?: boolean;
    readonly braces?: boolean;
    readonly urn?: boolean;
    readonly bare?: boolean;
}

/** @stable */
export interface UuidV4Options {
    readonly random?: RandomSource;
}

/** @stable */
export type UuidVariant = 'ncs' | 'rfc9562' | 'microsoft' | 'future';

/** @stable */
export function bytesToUuid(bytes: Uint8Array): string;

/** @stable */
export function compareUuids(a: string, b: string): number;

/** @stable */
export function createTraceIds(options?: TraceIdsOptions): TraceIds;

/** @stable */
export function createUuidV1(options?: OrderedUuidOptions): () => string;

/** @stable */
export function createUuidV4(options?: UuidV4Options): () => string;

/** @stable */
export function createUuidV6(options?: OrderedUuidOptions): () => string;

/** @stable */
export function createUuidV7(options?: OrderedUuidOptions): () => string;

/** @stable */
export function formatBaggage(members: readonly BaggageMember[]): string;

/** @stable */
export function formatTraceparent(context: TraceContext): string;

/** @stable */
export function formatTracestate(members: readonly TracestateMember[]): string;

/** @stable */
export function isUuid(text: unknown, version?: number): text is string;

/** @stable */
export const maxUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** @stable */
export const nilUuid = "00000000-0000-0000-0000-000000000000";

/** @stable */
export function parseBaggage(text: string | undefined): readonly BaggageMember[];

/** @stable */
export function parseTraceparent(text: string | undefined): TraceContext | undefined;

/** @stable */
export function parseTracestate(text: string | undefined): readonly TracestateMember[] | undefined;

/** @stable */
export function parseUuid(text: string, forms?: UuidForms): Uuid | undefined;

/** @stable */
export const randomFlag = 2;

/** @stable */
export function requestId(incoming: string | readonly string[] | undefined, { longest, generate }?: RequestIdOptions): string;

/** @stable */
export const sampledFlag = 1;

/** @stable */
export const uuidNamespaces: {
    readonly DNS: "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    readonly URL: "6ba7b811-9dad-11d1-80b4-00c04fd430c8";
    readonly OID: "6ba7b812-9dad-11d1-80b4-00c04fd430c8";
    readonly X500: "6ba7b814-9dad-11d1-80b4-00c04fd430c8";
};

/** @stable */
export function uuidToBytes(text: string): Uint8Array;

/** @stable */
export function uuidV1(): string;

/** @stable */
export function uuidV1FromV6(text: string): string;

/** @stable */
export function uuidV3(name: string | Uint8Array, namespace: string): string;

/** @stable */
export const uuidV4: () => string;

/** @stable */
export function uuidV5(name: string | Uint8Array, namespace: string): string;

/** @stable */
export function uuidV6(): string;

/** @stable */
export function uuidV6FromV1(text: string): string;

/** @stable */
export const uuidV7: () => string;

/** @stable */
export function uuidV8(bytes: Uint8Array): string;
