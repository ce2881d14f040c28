import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { failure } from '../../base/errors.ts'
import type { MemberExemplar, MemberIdentity, MemberImage, MemberState } from '../member-image.ts'
import type { SeriesDefinition } from '../series-definition.ts'
import { bytesOf, ContentFile, type FileContent, lengthOf } from './content-file.ts'
import { areSameExemplars, encodeExemplars } from './exemplar-records.ts'
import { limits } from './file-layout.ts'
import { MemberSeries } from './member-series.ts'

/** Milliseconds. Less than a second, as the timer of a member that writes once a second may fire a little early. */
const nearlyASecond = 900

/** The file of this member. A method that throws can be called again: nothing that was written is lost. */
export class MemberFile {
  readonly identity: MemberIdentity
  /** The latest exemplars, to be set before `commit`; the first 1,024 are written. */
  exemplars: readonly MemberExemplar[] = []
  readonly #clock: Clock
  readonly #onCheck: () => void
  readonly #file: ContentFile
  #series = new MemberSeries()
  #image: MemberImage
  /** Whether someone has the last image, whose arrays must not change then. */
  #isImageShared = false
  #encodedExemplars: Uint8Array = new Uint8Array()
  #writtenAt: number
  #checkedAt: number
  #isClosed = false

  /** Creates the file. `onCheck` is called at most every second, while the member is alive. */
  constructor(directory: string, identity: MemberIdentity, state: MemberState, clock: Clock, onCheck: () => void) {
    this.identity = identity
    this.#clock = clock
    this.#onCheck = onCheck
    this.#image = emptyImage(this.#generation())
    const content = this.#content(state, this.#encodedExemplars)
    this.#file = new ContentFile(join(directory, `${identity.slot}.member`), this.#about(), content)
    this.#writtenAt = clock.monotonicTime()
    this.#checkedAt = this.#writtenAt
  }

  /** The values of all series, to be set before `commit`. `define` and `commit` may replace the array. */
  get cells(): Float64Array {
    return this.#series.cells
  }

  /**
   * Adds a series, whose cells are 0, and returns its index, which stays the same until it is removed. Returns
   * `undefined` if the file cannot hold it: 1,000,000 series, 65,536 characters per string, 256 MB per file.
   */
  define(definition: SeriesDefinition): number | undefined {
    return this.#series.define(definition)
  }

  /** Removes a series. Its index may be used again after the next `commit`. */
  remove(index: number): void {
    this.#series.remove(index)
  }

  /** Returns the place of the first cell of a series. May change with each `commit`. */
  placeOf(index: number): number {
    return this.#series.places[index] ?? -1
  }

  /** Writes what has changed since the last call; nothing if nothing has. Throws if it cannot be written. */
  commit(state: MemberState): void {
    if (this.#isClosed) return
    this.#check()
    if (this.#series.isCompactionDue && this.#compact(state)) return
    const areExemplarsSame = areSameExemplars(this.exemplars.slice(0, limits.exemplars), this.#image.exemplars)
    if (areExemplarsSame && !this.#hasChanged(state)) return
    const exemplars = areExemplarsSame ? this.#encodedExemplars : encodeExemplars(this.exemplars)
    const content = this.#content(state, exemplars)
    const pending = this.#series.pending()
    if (lengthOf(content) <= this.#file.capacity) this.#file.write(content, pending)
    else this.#file.replace(this.#about(), content, Buffer.concat([this.#file.readDefinitions(), pending]))
    this.#keep(exemplars)
  }

  /** Shows that the member is alive: writes the time if nothing was written for almost 1 s. Throws as `commit` does. */
  heartbeat(): void {
    if (this.#isClosed) return
    this.#check()
    const now = this.#clock.monotonicTime()
    if (now - this.#writtenAt < nearlyASecond) return
    this.#file.writeHeartbeat(this.#clock.wallTime())
    this.#writtenAt = now
  }

  /** Returns what was committed last. Never changes afterwards. */
  image(): MemberImage {
    this.#isImageShared = true
    return this.#image
  }

  /** Commits for the last time, as final, and closes the file, which another member folds. */
  leave(state: MemberState): void {
    if (this.#isClosed) return
    this.commit({ ...state, isFinal: true })
    this.#isClosed = true
    this.#file.close()
  }

  /** Writes the definitions anew without those removed. Returns whether the disk had space for both files. */
  #compact(state: MemberState): boolean {
    const before = this.#series
    try {
      const { series, records } = before.compacted(Buffer.concat([this.#file.readDefinitions(), before.pending()]))
      const exemplars = encodeExemplars(this.exemplars)
      this.#series = series
      this.#file.replace(this.#about(), this.#content(state, exemplars), records)
      this.#keep(exemplars)
      return true
    } catch {
      this.#series = before
      before.delayCompaction()
      return false
    }
  }

  /** Remembers what was written, to compare with it, and for those who read it in this process. */
  #keep(exemplars: Uint8Array): void {
    const { definitions, places, cells, generation } = this.#image
    const { used, isPending } = this.#series
    const isNew = isPending || generation !== this.#generation()
    const isReusable = !this.#isImageShared && cells.length === used.length
    if (isReusable) cells.set(used)
    this.#image = {
      definitions: isNew ? this.#series.definitions.slice() : definitions,
      places: isNew ? this.#series.places.slice() : places,
      cells: isReusable ? cells : used.slice(),
      exemplars: this.exemplars.slice(0, limits.exemplars),
      generation: this.#generation(),
    }
    this.#isImageShared = false
    this.#encodedExemplars = exemplars
    this.#series.markWritten(this.#file.head.definitionBytes)
    this.#writtenAt = this.#clock.monotonicTime()
  }

  #hasChanged({ readiness, liveness, isFinal }: MemberState): boolean {
    const { state } = this.#file.head
    if (readiness !== state.readiness || liveness !== state.liveness || isFinal !== state.isFinal) return true
    return this.#series.isPending || Buffer.compare(bytesOf(this.#series.used), bytesOf(this.#image.cells)) !== 0
  }

  /** About once per second: values that go to a file which was removed are lost. */
  #check(): void {
    const now = this.#clock.monotonicTime()
    if (now - this.#checkedAt < nearlyASecond) return
    if (this.#file.isRemoved()) throw failure('UPKEEP_ECLUSTER', `${this.#file.path}: removed by another process`)
    this.#checkedAt = now
    this.#onCheck()
  }

  #content(state: MemberState, exemplars: Uint8Array): FileContent {
    return { cells: this.#series.used, exemplars, state, time: this.#clock.wallTime() }
  }

  #about(): unknown {
    return { generation: this.#generation(), identity: this.identity }
  }

  #generation(): string {
    return `${this.identity.incarnation}.${this.#series.generation}`
  }
}

function emptyImage(generation: string): MemberImage {
  return { definitions: [], places: [], cells: new Float64Array(0), exemplars: [], generation }
}
