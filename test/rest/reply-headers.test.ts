import { collection, created, createResources } from 'upkeep/rest'
import { expect, it } from 'vitest'

async function headersOfPost(headers: Readonly<Record<string, string | undefined>>) {
  const create = () => created('orders/7', { item: 'a' }, { headers })
  const resources = createResources({ resources: [collection('orders/{order}', { create })] })
  const response = await resources({
    method: 'POST',
    target: '/orders',
    headers: { 'content-type': 'application/json' },
    body: () => ({ kind: 'parsed', value: {} }),
    base: '',
  })
  return response?.headers
}

it('a 201 with content has a Content-Location equal to Location', async () => {
  expect(await headersOfPost({ 'X-Own': 'a' })).toMatchObject({
    Location: '/orders/7',
    'Content-Location': '/orders/7',
    'X-Own': 'a',
  })
})

it('a header of undefined omits a default field of a reply', async () => {
  const headers = await headersOfPost({ 'Content-Location': undefined })
  expect(headers).toMatchObject({ Location: '/orders/7' })
  expect(headers).not.toHaveProperty('Content-Location')
})
