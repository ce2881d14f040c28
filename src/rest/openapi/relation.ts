/** What following a link of this relation means. */
export interface Relation {
  /** @default 'GET' */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined
  /** The media types that a body may be of. @default none */
  readonly requestTypes?: readonly string[] | undefined
  /** For a person. */
  readonly description?: string | undefined
}

/** The document of a relation, as it is served. */
export interface RelationDocument {
  readonly name: string
  readonly description?: string
  readonly method: string
  readonly requestTypes: readonly string[]
}

/** Relations that need no declaration (registered by IANA). */
export const registeredRelations: Readonly<Record<string, Relation>> = {
  self: { description: 'This resource.' },
  collection: { description: 'The collection that this resource is in.' },
  item: { description: 'A member of this collection.' },
  up: { description: 'The resource above this one.' },
  first: { description: 'The first page.' },
  prev: { description: 'The page before this one.' },
  next: { description: 'The page after this one.' },
  last: { description: 'The last page.' },
  describedby: { description: 'What describes this resource, such as its schema.' },
  related: { description: 'A resource that has to do with this one.' },
}

export function relationDocument(
  name: string,
  { method = 'GET', requestTypes = [], description }: Relation,
): RelationDocument {
  return { name, ...(description !== undefined && { description }), method, requestTypes }
}
