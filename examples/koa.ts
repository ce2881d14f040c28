import Koa from 'koa'
import { createManagement } from 'upkeep'
import { diskSpace } from 'upkeep/health'
import { handleErrors, manage, notFound, observe } from 'upkeep/koa'

const management = createManagement({
  application: { name: 'orders', version: '1.4.2' },
  expose: ['health', 'info', 'metrics', 'prometheus'],
  health: { indicators: { diskSpace: diskSpace() } },
})

const app = new Koa()
app.use(handleErrors(management)) // thrown errors become error documents
app.use(observe(management)) // times requests by route
app.use(manage(management)) // serves /management/**
app.use((context, next) => (context.path === '/orders' ? Object.assign(context, { body: [] }) : next()))
app.use(notFound()) // unknown addresses get error documents
const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => console.info(server.address()))
