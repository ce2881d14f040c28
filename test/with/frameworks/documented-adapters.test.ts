import { adapterConformance } from 'upkeep/contract'
import { describe, it } from 'vitest'
import { startHapi } from './documented/hapi.ts'
import { startPolka } from './documented/polka.ts'

describe('the adapter for polka on the page', () => {
  for (const { title, run } of adapterConformance({ start: startPolka })) it(title, run)
})

describe('the adapter for hapi on the page', () => {
  const template = (path: string) => path.replace(':id', '{id}')
  for (const { title, run } of adapterConformance({ start: startHapi, template })) it(title, run)
})
