// What upkeep adds to a line of pino: `node bench/logging.mjs`. Its mixin alone, beside nothing, and the line that it
// makes, beside one of plain pino; every line goes to /dev/null, written at once as pino does it.
import { openSync } from 'node:fs'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import winston from 'winston'
import { load, missed, paired, report, sink } from './harness.mjs'

const { pinoOptions } = await load('upkeep/pino')
const { logRecord } = await load('upkeep/winston')
const { createLogger } = await load('upkeep/logging')
const { createTracing } = await load('src/tracing/create-tracing.ts')
const { installTracing } = await load('src/tracing/current-tracing.ts')

const application = { name: 'orders' }
const nowhere = () => pino.destination({ dest: openSync('/dev/null', 'w'), sync: true })
const tracing = createTracing()
const span = tracing.startSpan('bench')

const plain = pino(nowhere())
const options = pinoOptions({ application })
const logger = pino(options, nowhere())
const onlyMixin = pino({ mixin: options.mixin }, nowhere())
const { mixin } = options
const small = createLogger({ application, write: (line) => (sink.value += line.length) })

/** Four more kinds of logger, so that none of pino's calls is that of one shape alone. */
for (const other of [pino({ level: 'debug' }, nowhere()), plain.child({ a: 1 }), logger.child({ logger: 'b' })]) {
  for (let i = 0; i < 1_000; i++) other.info({ i }, 'warm')
}

const discard = new winston.transports.Stream({ stream: new Writable({ write: (_line, _encoding, done) => done() }) })
const { combine, json, timestamp } = winston.format
const winstonPlain = winston.createLogger({ format: combine(timestamp(), json()), transports: [discard] })
const winstonRecord = winston.createLogger({
  format: combine(logRecord({ application }), json()),
  transports: [discard],
})

const line = (log) => (n) => {
  for (let i = 0; i < n; i++) log.info({ orderId: i }, 'placed')
  return n
}

const contenders = {
  nothing: (n) => {
    let last
    for (let i = 0; i < n; i++) last = { id: i }
    return last
  },
  mixin: (n) => {
    let last
    for (let i = 0; i < n; i++) last = mixin()
    return last
  },
  plain: line(plain),
  onlyMixin: line(onlyMixin),
  upkeep: line(logger),
  winstonPlain: (n) => {
    for (let i = 0; i < n; i++) winstonPlain.info('placed', { orderId: i })
    return n
  },
  winstonRecord: (n) => {
    for (let i = 0; i < n; i++) winstonRecord.info('placed', { orderId: i })
    return n
  },
  small: (n) => {
    for (let i = 0; i < n; i++) small.info('placed', { orderId: i })
    return n
  },
  child: (n) => {
    let last
    for (let i = 0; i < n; i++) last = plain.child({ requestId: i })
    return last
  },
  upkeepChild: (n) => {
    let last
    for (let i = 0; i < n; i++) last = logger.child({ requestId: i })
    return last
  },
}

console.log(`Node ${process.version}; nanoseconds are this machine's`)
console.log(`${'a line of a log'.padEnd(62)} ${''.padStart(9)} ${'goal'.padStart(8)}`)
const uninstall = installTracing(tracing)
tracing.run(span, () => {
  const measured = paired(contenders)
  const ns = (name) => `${measured.nanoseconds(name).toFixed(0)} ns`
  report('the mixin alone, a span being active, in nanoseconds', measured.nanoseconds('mixin'), { atMost: 25 })
  report('a line of pino with the mixin / plain', measured.ratio('onlyMixin', 'plain'), {
    atMost: 1.65,
    detail: `${ns('onlyMixin')}, plain ${ns('plain')}`,
  })
  report('a whole record of pino, nine fields in place of five / plain', measured.ratio('upkeep', 'plain'), {
    atMost: 1.65,
    detail: ns('upkeep'),
  })
  report('a child of pino with upkeep / plain', measured.ratio('upkeepChild', 'child'), {
    detail: `${ns('upkeepChild')}, plain ${ns('child')}`,
  })
  report('a line of winston with upkeep / with its own timestamp', measured.ratio('winstonRecord', 'winstonPlain'), {
    detail: `${ns('winstonRecord')}, its own ${ns('winstonPlain')}`,
  })
  report('a line of the small logger / plain pino', measured.ratio('small', 'plain'), { detail: ns('small') })
})
uninstall()
const off = paired({ mixin: contenders.mixin, plain: contenders.plain, upkeep: contenders.upkeep })
report('tracing off: a line of pino with upkeep / plain', off.ratio('upkeep', 'plain'), { atMost: 1.65 })
report('tracing off: the mixin alone, in nanoseconds', off.nanoseconds('mixin'), { atMost: 25 })

process.exitCode = missed().length > 0 ? 1 : 0
