import mongoose, { type Connection } from 'mongoose'
import { createManagement } from 'upkeep'
import { instrument } from 'upkeep/instrumentation'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordSpans } from '../../support/record-spans.ts'
import { useServer } from '../../support/use-server.ts'
import { startFakeMongodb } from './fake-mongodb.ts'

describe('a mongoose operation', () => {
  const spans = recordSpans()
  const server = useServer(startFakeMongodb)
  const management = createManagement({ metrics: { runtime: false } })
  let connection: Connection
  beforeAll(async () => {
    connection = await mongoose
      .createConnection(server().url, { dbName: 'shop', autoCreate: false, autoIndex: false })
      .asPromise()
    instrument(management)
  })
  afterAll(async () => {
    management.close()
    await connection.close()
  })
  const schema = new mongoose.Schema<{ customer: string }>({ customer: String })
  const orders = () => connection.model<{ customer: string }>('Order', schema, 'orders', { overwriteModels: true })

  it('is a span without the filter', async () => {
    expect(await spans.below('work', () => orders().find({ customer: 'zqzq' }).exec())).toEqual([])
    expect(spans.tree()).toEqual(['internal work', '  client find orders'])
    expect(spans.named('find orders').attributes).toEqual({
      'db.system.name': 'mongodb',
      'db.operation.name': 'find',
      'db.collection.name': 'orders',
      'db.namespace': 'shop',
      'server.address': '127.0.0.1',
      'server.port': server().port,
    })
  })

  it('is a span when it stores a document', async () => {
    await spans.below('work', () => new (orders())({ customer: 'zqzq' }).save())
    expect(spans.tree()).toEqual(['internal work', '  client save orders'])
  })

  it('is a failed span with the error code if the server rejects it', async () => {
    await expect(orders().countDocuments({}).exec()).rejects.toThrow('no such command')
    expect(spans.tree()).toEqual(['client countDocuments orders !'])
    expect(spans.named('countDocuments orders').attributes).toMatchObject({
      'error.type': '59',
      'db.response.status_code': '59',
    })
  })
})
