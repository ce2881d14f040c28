import type { ManagementResponse } from '../http/message.ts'

/** Makes the error document for a request that cannot be answered, or not even read. */
export type Refuse = (status: number, detail: string, headers?: Readonly<Record<string, string>>) => ManagementResponse
