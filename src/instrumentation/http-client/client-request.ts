/** An outgoing HTTP request, to be recorded. */
export interface ClientRequest {
  /** Host or service name of the server; the tag `client.name`. */
  readonly clientName: string
  /** Host of the server; the attribute `server.address`. @default `clientName` */
  readonly address?: string | undefined
  /** Port of the server; the attribute `server.port`. */
  readonly port?: number | undefined
  /** Template of the path, such as `/orders/{id}`; never the path itself. */
  readonly template?: string | undefined
  readonly method: string
  /** Status of the response; `undefined` without a response. */
  readonly status?: number | undefined
  /** Why there is no response. */
  readonly error?: unknown
  readonly seconds: number
}
