import { registerManagement } from 'upkeep/next'

export { onRequestError } from 'upkeep/next'

export async function register() {
  await registerManagement({
    application: { name: 'shop', version: '1.0.0' },
    expose: ['health', 'info', 'metrics', 'prometheus'],
    shutdown: { delay: '1s' },
  })
}
