/** Where an adapter stands in an application, and whether a body parser stands in front of it. */
export interface Mount {
  /** `''` for the root. */
  readonly prefix: string
  readonly parser: boolean
}

export const mounts: readonly Mount[] = [
  { prefix: '', parser: false },
  { prefix: '', parser: true },
  { prefix: '/ops', parser: false },
  { prefix: '/ops', parser: true },
]
