import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { MemberExemplar, MemberIdentity, MemberImage, MemberState } from '../member-image.ts'
import type { SeriesDefinition } from '../series-definition.ts'
import { bytesOf, ContentFile, type FileContent, lengthOf } from './content-file.ts'
import { areSameExemplars, encodeExemplars } from './exemplar-records.ts'
import { limits } from './file-layout.ts'
import type { MemberFile } from './group-interface.ts'
import { MemberSeries } from './member-series.ts'

/** Milliseconds. */
const second = 1000

/** Writes the values of a member to its file. */
export class MemberFileWriter implements MemberFile {
  readonly identity: MemberIdentity
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

  get cells(): Float64Array {
    return this.#series.cells
  }

  define(definition: SeriesDefinition): number | undefined {
    return this.#series.define(definition)
  }

  remove(index: number): void {
    this.#series.remove(index)
  }

  placeOf(index: number): number {
    return this.#series.places[index] ?? -1
  }

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

  heartbeat(): void {
    if (this.#isClosed) return
    this.#check()
    const now = this.#clock.monotonicTime()
    if (now - this.#writtenAt < second) return
    this.#file.writeHeartbeat(this.#clock.wallTime())
    this.#writtenAt = now
  }

  image(): MemberImage {
    this.#isImageShared = true
    return this.#image
  }

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

  /** Once per second: values that go to a file which was removed are lost. */
  #check(): void {
    const now = this.#clock.monotonicTime()
    if (now - this.#checkedAt < second) return
    if (this.#file.isRemoved()) throw new Error(`${this.#file.path}: removed by another process`)
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
