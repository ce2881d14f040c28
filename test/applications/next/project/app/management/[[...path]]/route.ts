import { manage } from 'upkeep/next'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = manage()
