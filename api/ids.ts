// upkeep/ids: 31 values, 16 types. Written by `npm run api`; do not edit.

export interface BaggageMember {
    readonly key: string;
    readonly value: string;
    readonly properties?: string | undefined;
}

export interface GregorianUuid extends UuidBase {
    readonly kind: 'gregorian';
    readonly timestamp: number;
    readonly ticks: bigint;
    readonly clockSequence: number;
    readonly node: string;
}

export interface OpaqueUuid extends UuidBase {
    readonly kind: 'nil' | 'max' | 'name' | 'random' | 'custom' | 'other';
}

export interface OrderedUuidOptions {
    readonly clock?: Clock;
    readonly random?: RandomSource;
    readonly toleratedStepBack?: Duration;
    readonly beyondStepBack?: 'restart' | 'throw';
}

export interface RandomSource {
    fill(bytes: Uint8Array): void;
}

export interface RequestIdOptions {
    readonly longest?: number;
    readonly generate?: () => string;
}

export interface TraceContext {
    readonly traceId: string;
    readonly spanId: string;
    readonly flags: number;
    readonly tracestate?: string | undefined;
}

export interface TraceIds {
    traceId(): string;
    spanId(): string;
}

export interface TraceIdsOptions {
    readonly random?: RandomSource;
}

export interface TracestateMember {
    readonly key: string;
    readonly value: string;
}

export interface UnixUuid extends UuidBase {
    readonly kind: 'unix';
    readonly timestamp: number;
}

export type Uuid = GregorianUuid | UnixUuid | OpaqueUuid;

export interface UuidBase {
    readonly text: string;
    readonly version: number;
    readonly variant: UuidVariant;
    readonly bytes: Uint8Array;
}

export interface UuidForms {
    readonly upperCase?: boolean;
    readonly braces?: boolean;
    readonly urn?: boolean;
    readonly bare?: boolean;
}

export interface UuidV4Options {
    readonly random?: RandomSource;
}

export type UuidVariant = 'ncs' | 'rfc9562' | 'microsoft' | 'future';

export function bytesToUuid(bytes: Uint8Array): string;

export function compareUuids(a: string, b: string): number;

export function createTraceIds(options?: TraceIdsOptions): TraceIds;

export function createUuidV1(options?: OrderedUuidOptions): () => string;

export function createUuidV4(options?: UuidV4Options): () => string;

export function createUuidV6(options?: OrderedUuidOptions): () => string;

export function createUuidV7(options?: OrderedUuidOptions): () => string;

export function formatBaggage(members: readonly BaggageMember[]): string;

export function formatTraceparent(context: TraceContext): string;

export function formatTracestate(members: readonly TracestateMember[]): string;

export function isUuid(text: unknown, version?: number): text is string;

export const maxUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export const nilUuid = "00000000-0000-0000-0000-000000000000";

export function parseBaggage(text: string | undefined): readonly BaggageMember[];

export function parseTraceparent(text: string | undefined): TraceContext | undefined;

export function parseTracestate(text: string | undefined): readonly TracestateMember[] | undefined;

export function parseUuid(text: string, forms?: UuidForms): Uuid | undefined;

export const randomFlag = 2;

export function requestId(incoming: string | readonly string[] | undefined, { longest, generate }?: RequestIdOptions): string;

export const sampledFlag = 1;

export const uuidNamespaces: {
    readonly DNS: "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    readonly URL: "6ba7b811-9dad-11d1-80b4-00c04fd430c8";
    readonly OID: "6ba7b812-9dad-11d1-80b4-00c04fd430c8";
    readonly X500: "6ba7b814-9dad-11d1-80b4-00c04fd430c8";
};

export function uuidToBytes(text: string): Uint8Array;

export function uuidV1(): string;

export function uuidV1FromV6(text: string): string;

export function uuidV3(name: string | Uint8Array, namespace: string): string;

export const uuidV4: () => string;

export function uuidV5(name: string | Uint8Array, namespace: string): string;

export function uuidV6(): string;

export function uuidV6FromV1(text: string): string;

export const uuidV7: () => string;

export function uuidV8(bytes: Uint8Array): string;
