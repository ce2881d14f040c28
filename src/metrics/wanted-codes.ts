/** The codes of a set of tags that is looked for, by column, and zeros after them: one array, used again and again. */
export class WantedCodes {
  codes: Int32Array = new Int32Array(4)

  clear(columns: number): void {
    if (this.codes.length < columns) this.codes = new Int32Array(columns + 4)
    else this.codes.fill(0)
  }

  note(column: number, code: number): void {
    if (column >= this.codes.length) {
      const longer = new Int32Array(column + 4)
      longer.set(this.codes)
      this.codes = longer
    }
    this.codes[column] = code
  }
}
