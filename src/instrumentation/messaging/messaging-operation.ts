/** The sending or processing of messages. */
export interface MessagingCall {
  /** `messaging.system.name` */
  readonly system: string
  /** `messaging.operation.type` */
  readonly type: 'send' | 'process'
  /** `messaging.operation.name`: the client's name of the operation. */
  readonly operation: string
  /** A topic, queue, exchange or subject, without the parts that differ from message to message. */
  readonly destination: string | undefined
  readonly address?: string | undefined
  readonly port?: number | undefined
  /** Number of messages. */
  readonly messages: number
}

/** A messaging call that has ended, to be recorded. */
export interface MessagingOperation extends MessagingCall {
  readonly seconds: number
  /** `undefined` if the call succeeded. */
  readonly error: unknown
}
