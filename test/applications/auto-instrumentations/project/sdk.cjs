// OpenTelemetry's auto-instrumentations as they come, with an exporter that prints each span as a line of JSON.
const { register } = require('node:module')
const { pathToFileURL } = require('node:url')
const { getNodeAutoInstrumentations } = require('@opentelemetry/auto-instrumentations-node')
const { NodeSDK, tracing } = require('@opentelemetry/sdk-node')

register('@opentelemetry/instrumentation/hook.mjs', pathToFileURL(__filename))

const exporter = {
  export(spans, done) {
    for (const span of spans) {
      const { traceId, spanId } = span.spanContext()
      const { name, kind, attributes, parentSpanContext, instrumentationScope } = span
      const line = {
        name,
        kind,
        traceId,
        spanId,
        parentId: parentSpanContext?.spanId,
        scope: instrumentationScope.name,
      }
      console.log(JSON.stringify({ ...line, route: attributes['http.route'] }))
    }
    done({ code: 0 })
  },
  async shutdown() {},
}
const spanProcessors = [new tracing.SimpleSpanProcessor(Object.assign(exporter, { exporter }))]
// Spans would wait for what is detected of the machine, as long as the cloud that it is not in does not respond.
new NodeSDK({ autoDetectResources: false, instrumentations: [getNodeAutoInstrumentations()], spanProcessors }).start()
