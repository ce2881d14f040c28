import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import pino from 'pino'
import winston from 'winston'
import { ready } from './tools.mjs'

const log = pino({ base: null, timestamp: false }, pino.destination({ sync: true }))
const child = log.child({ part: 'orders' })
const { Console } = winston.transports
const old = winston.createLogger({ format: winston.format.json(), transports: [new Console({ forceConsole: true })] })

async function logEverything() {
  await delay(1)
  child.info(Object.freeze({ id: 7 }), 'pino')
  child.info({ trace_id: 'own' }, 'pino')
  log.info('pino')
  old.child({ part: 'orders' }).info('winston')
  console.log('console', { id: 7 })
  console.log('100%s')
  console.error('{"console":"json"}')
  console.info()
}

const server = createServer(async (_request, response) => {
  await logEverything()
  response.end()
})
void logEverything().then(() => server.listen(0, '127.0.0.1', () => ready(server)))
