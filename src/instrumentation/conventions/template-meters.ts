import type { Tags } from '../../metrics/series/tags.ts'
import { type MeterTemplate, tagsOf } from './meter-template.ts'

/** Maximum number of cached meters; the registry has them all. */
const maxCached = 1_024

interface Branch<M> {
  readonly children: Map<string | undefined, Branch<M>>
  meter: M | undefined
}

/** The meters of one template, found by their tag values without creating an object or a key. */
export class TemplateMeters<F, M> {
  readonly #template: MeterTemplate<F>
  readonly #create: (tags: Tags) => M
  readonly #readers: readonly ((facts: F) => string | undefined)[]
  #root: Branch<M> = createBranch()
  #cached = 0

  constructor(template: MeterTemplate<F>, create: (tags: Tags) => M) {
    this.#template = template
    this.#create = create
    this.#readers = Object.values(template.tags)
  }

  /** Returns the meter of an operation. Throws what creating a meter does. */
  get(facts: F): M {
    let branch = this.#root
    for (const read of this.#readers) {
      const value = read(facts)
      let child = branch.children.get(value)
      if (child === undefined) {
        child = createBranch<M>()
        branch.children.set(value, child)
      }
      branch = child
    }
    return branch.meter ?? this.#add(branch, facts)
  }

  #add(branch: Branch<M>, facts: F): M {
    const meter = this.#create(tagsOf(this.#template.tags, facts))
    if (this.#cached >= maxCached) {
      this.#root = createBranch()
      this.#cached = 0
    } else {
      branch.meter = meter
      this.#cached += 1
    }
    return meter
  }
}

function createBranch<M>(): Branch<M> {
  return { children: new Map(), meter: undefined }
}
