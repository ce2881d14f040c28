/** Whoever keeps what it needs of a table for a faster lookup. */
export interface TableReader {
  /** The columns or the slots are others now. */
  refresh(): void
}

/** Whoever needs to know where in a table its values are. */
export interface RowOwner<V> {
  /** A compaction gave a value another row. */
  moved(value: V, row: number): void
}
