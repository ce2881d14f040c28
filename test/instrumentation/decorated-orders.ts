import type { Decorators } from 'upkeep/instrumentation'

/** A class whose methods, of every kind, are decorated by a management. */
export function decoratedOrders({ timed, counted, traced }: Decorators) {
  class Orders {
    readonly price = 3

    @timed()
    @counted()
    place(count: number): number {
      if (count < 0) throw new RangeError('less than nothing')
      return count * this.price
    }

    @timed({ name: 'orders.loaded' })
    async load(id: string): Promise<string> {
      await null
      if (id === '') throw new TypeError('no id')
      return this.find(id)
    }

    @traced({ name: 'find' })
    find(id: string): string {
      return `order ${id}`
    }

    @counted()
    @traced()
    *all(): Generator<number> {
      yield 1
      yield 2
    }

    @timed()
    async *some(): AsyncGenerator<number> {
      yield 1
      throw new RangeError('no more')
    }

    @timed()
    static open(): object {
      return new Orders()
    }
  }
  return Orders
}
