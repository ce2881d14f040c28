import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createManagement } from 'upkeep'
import { diskSpace } from 'upkeep/health'
import { handleErrors, manage, notFound, observe } from 'upkeep/hono'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'info', 'metrics', 'prometheus'],
  health: { indicators: { diskSpace: diskSpace() } },
})

const app = new Hono()
app.onError(handleErrors(management)) // thrown errors become error documents
app.notFound(notFound()) // and so do unknown addresses
app.use(observe(management)) // times requests by route
app.use(manage(management)) // serves /management/**
app.get('/orders', (context) => context.json([]))
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, console.info)
