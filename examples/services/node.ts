import { createServer, type IncomingMessage } from 'node:http'
import { HttpError } from 'upkeep'
import { handleErrors, manage, notFound, observe, shutdownGracefully } from 'upkeep/node'
import { openShop } from './shop.ts'

const shop = await openShop()
const { management, flush } = shop

const observed = observe(management, { route: templateOf })
const managed = manage(management)
const unknown = notFound()

const app = handleErrors((req, res) => observed(req, res, () => managed(req, res, () => respond(req, res))), management)

const respond: typeof unknown = async (req, res) => {
  const [, orders, id, more] = (req.url ?? '').split('?', 1)[0]?.split('/') ?? []
  if (orders !== 'orders' || more !== undefined) return void (await unknown(req, res))
  const isList = id === undefined
  if (req.method === 'GET') return void send(isList ? await shop.list() : await shop.find(id))
  if (req.method !== 'POST' || !isList) throw new HttpError(405, 'GET or POST')
  const order = await shop.place(await readJson(req))
  res.setHeader('Location', `/orders/${order.id}`)
  send(order, 201)

  function send(value: unknown, status = 200) {
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
  }
}

async function readJson(req: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of req.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.length > 10_000)
      throw new HttpError(413, 'expected at most 10,000 characters', { headers: { Connection: 'close' } })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HttpError(400, 'expected JSON', { cause })
  }
}

function templateOf({ url = '' }: IncomingMessage) {
  if (/^\/orders(?:\?|$)/.test(url)) return '/orders'
  return /^\/orders\/\d+(?:\?|$)/.test(url) ? '/orders/:id' : undefined
}

const server = createServer(app)
server.listen(Number(process.env['PORT'] ?? 3000), process.env['HOST'] ?? '127.0.0.1', () =>
  console.info(server.address()),
)
shutdownGracefully(server, management, { hooks: [{ name: 'shop', run: shop.close }], flush })
