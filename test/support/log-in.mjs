// Logs in to a server of 127.0.0.1 as the tests do, within so many milliseconds, and prints why if that is not
// possible: `node log-in.mjs redis 6379 10000`
import { connect as connectSocket } from 'node:net'

const host = '127.0.0.1'

const logIns = {
  async amqp(port) {
    const { connect } = await import('amqplib')
    await connect({ hostname: host, port })
  },
  async mysql(port) {
    const { createConnection } = await import('mysql2/promise')
    await (await createConnection({ host, port, user: 'root' })).query('select 1')
  },
  async nats(port) {
    const { connect } = await import('nats')
    await (await connect({ servers: `${host}:${port}`, reconnect: false })).flush()
  },
  async postgres(port) {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ host, port, user: 'postgres', database: 'postgres' })
    await client.connect()
    await client.query('select 1')
  },
  async redis(port) {
    const { createClient } = await import('redis')
    const client = createClient({ socket: { host, port, reconnectStrategy: false } })
    client.on('error', refuse)
    await client.connect()
    await client.ping()
  },
}

function refuse(error) {
  process.stdout.write(String(error.message || error.code || error), () => process.exit(1))
}

/** Says what else it is that does not log anybody in. */
async function describePort(port, timeout) {
  const sent = await new Promise((resolve) => {
    connectSocket(port, host).on('data', (bytes) => resolve(JSON.stringify(bytes.toString('latin1').slice(0, 80))))
    setTimeout(resolve, 500, 'nothing')
  })
  return `no login within ${timeout / 1_000} s; it sends ${sent}`
}

process.on('uncaughtException', refuse)
const [protocol, port, timeout] = process.argv.slice(2)
setTimeout(async () => refuse(new Error(await describePort(port, timeout))), Number(timeout))
await logIns[protocol](Number(port)).then(() => process.exit(0), refuse)
