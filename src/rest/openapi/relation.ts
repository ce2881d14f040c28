/** A link relation. */
export interface Relation {
  /** The method to request a link with. @default 'GET' */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined
  /** Media types of the request body. @default none */
  readonly requestTypes?: readonly string[] | undefined
  /** The meaning of a link, for a person. */
  readonly description?: string | undefined
}

/** The served document of a relation. */
export interface RelationDocument {
  readonly name: string
  readonly description?: string
  readonly method: string
  readonly requestTypes: readonly string[]
}

/** Relations registered with IANA, which need no declaration. */
export const registeredRelations: Readonly<Record<string, Relation>> = {
  self: { description: 'This resource.' },
  collection: { description: 'The collection that contains this resource.' },
  item: { description: 'A member of this collection.' },
  up: { description: 'The parent of this resource.' },
  first: { description: 'The first page.' },
  prev: { description: 'The previous page.' },
  next: { description: 'The next page.' },
  last: { description: 'The last page.' },
  describedby: { description: 'A description of this resource, such as its schema.' },
  related: { description: 'A related resource.' },
}

export function relationDocument(
  name: string,
  { method = 'GET', requestTypes = [], description }: Relation,
): RelationDocument {
  return { name, ...(description !== undefined && { description }), method, requestTypes }
}
