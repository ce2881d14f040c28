import { expect, it, vi } from 'vitest'
import { countManagement, onManagementCreated, openManagements } from '../../src/management/created-managements.ts'

it('managements are counted until they are closed, however often that is', () => {
  const before = openManagements()
  const [closeFirst, closeSecond] = [countManagement(), countManagement()]
  expect(openManagements()).toBe(before + 2)
  closeFirst()
  closeFirst()
  expect(openManagements()).toBe(before + 1)
  closeSecond()
  expect(openManagements()).toBe(before)
})

it('listeners are called for each management that is created, until they unsubscribe', () => {
  const listener = vi.fn()
  const unsubscribe = onManagementCreated(listener)
  countManagement()()
  expect(listener).toHaveBeenCalledTimes(1)
  unsubscribe()
  countManagement()()
  expect(listener).toHaveBeenCalledTimes(1)
})
