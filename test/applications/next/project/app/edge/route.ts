import { manage } from 'upkeep/next'

export const runtime = 'edge'

export const { GET } = manage()
