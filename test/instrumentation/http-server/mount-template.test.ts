import { mountTemplate } from 'upkeep/adapter'
import { describe, expect, it } from 'vitest'

describe('mountTemplate', () => {
  it.each([
    ['/static', '/static/**'],
    ['/static/', '/static/**'],
    ['/api/tenants/:tenant', '/api/tenants/:tenant/**'],
    ['/admin/*', '/admin/**'],
    ['/admin*', '/admin/**'],
    ['/admin/*rest', '/admin/**'],
    ['/admin/{*rest}', '/admin/**'],
    ['/admin{/*rest}', '/admin/**'],
    ['(/one/:a|/two/:b)', '(/one/:a|/two/:b)/**'],
    ['/*/inner', '/*/inner/**'],
  ])('of %s is %s', (path, template) => {
    expect(mountTemplate(path)).toBe(template)
  })

  it.each(['', '/', '*', '/*', '*all', '/*all', '{*all}', '/{*all}', '{/*all}'])(
    'of %j, which has all requests, is undefined',
    (path) => {
      expect(mountTemplate(path)).toBeUndefined()
    },
  )
})
