import express from 'express'
import { createManagement } from 'upkeep'
import { handleErrors, manage, notFound, observe } from 'upkeep/express'
import { diskSpace } from 'upkeep/health'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'info', 'metrics', 'prometheus'],
  health: { indicators: { diskSpace: diskSpace() } },
})

const app = express()
app.use(observe(management)) // times requests by route
app.use(manage(management)) // serves /management/**
app.get('/orders', (_req, res) => void res.json([]))
app.use(notFound()) // unknown addresses get error documents
app.use(handleErrors(management)) // and so do thrown errors
const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1')
server.once('listening', () => console.info(server.address()))
