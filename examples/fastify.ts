import Fastify from 'fastify'
import { createManagement } from 'upkeep'
import { handleErrors, manage, notFound, observe } from 'upkeep/fastify'
import { diskSpace } from 'upkeep/health'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'info', 'metrics', 'prometheus'],
  health: { indicators: { diskSpace: diskSpace() } },
})

const app = Fastify()
app.setErrorHandler(handleErrors()) // thrown errors become error documents
app.setNotFoundHandler(notFound()) // and so do unknown addresses
app.register(observe(management)) // times requests by route
app.register(manage(management)) // serves /management/**
app.get('/orders', async () => [])
await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' })
console.info(app.server.address())
