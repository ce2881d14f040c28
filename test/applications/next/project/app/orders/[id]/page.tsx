import { management } from 'upkeep/next'

interface Props {
  params: Promise<{ id: string }>
}

export default async function Page({ params }: Props) {
  const { id } = await params
  management().meters.counter('orders.read', { from: 'page' }).increment()
  if (id === 'broken') throw new RangeError('this order is broken')
  return <p>order {id}</p>
}
