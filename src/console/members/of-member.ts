/** A document of one member of a cluster. */
export interface OfMember<Document> {
  /** Its number. */
  readonly member: string
  /** Threads of one process have the same. */
  readonly pid: number
  readonly document: Document
}

/** The documents of at least one member. */
export type OfMembers<Document> = readonly [OfMember<Document>, ...OfMember<Document>[]]
