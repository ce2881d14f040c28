import { HttpError } from 'upkeep'
import { type Attachment, parseAttachments } from './attachments.ts'
import { nameKind } from './name-kind.ts'
import { requireStorable } from './storable.ts'

/** A message from a sender: text that can be stored and read back unchanged, and how it is to be shown. */
export interface Message {
  /** Empty where there are attachments instead. */
  readonly text: string
  readonly username: string | undefined
  readonly channel: string | undefined
  readonly iconUrl: string | undefined
  readonly iconEmoji: string | undefined
  readonly attachments: readonly Attachment[] | undefined
  /** Further data for the sender's own programs. */
  readonly props: Readonly<Record<string, unknown>> | undefined
}

export interface MessageLimits {
  /** In UTF-16 code units. */
  readonly longestText: number
}

/** Names and addresses: longer than any that a chat shows. */
const longestName = 2_048

/**
 * Returns the message in a JSON value, in the format of Slack and Mattermost. A message has a text or attachments.
 * Members that neither format defines are ignored.
 *
 * @throws HttpError 400 that names the field and what is wrong with it.
 */
export function parseMessage(value: unknown, { longestText }: MessageLimits): Message {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, `The body must be a JSON object with a string "text", not ${nameKind(value)}.`)
  }
  const members = value as Readonly<Record<string, unknown>>
  const attachments = parseAttachments(own(members, 'attachments'))
  const message: Message = {
    text: readText(own(members, 'text'), attachments !== undefined, longestText),
    username: readName(members, 'username'),
    channel: readName(members, 'channel'),
    iconUrl: readAddress(members, 'icon_url'),
    iconEmoji: readName(members, 'icon_emoji'),
    attachments,
    props: readObject(members, 'props'),
  }
  for (const [name, part] of Object.entries(message)) requireStorable(fieldOf[name] ?? name, part)
  return message
}

const fieldOf: Readonly<Record<string, string>> = { iconUrl: 'icon_url', iconEmoji: 'icon_emoji' }

function own(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

function readText(value: unknown, hasAttachments: boolean, longest: number): string {
  if (hasAttachments && (value === undefined || value === null)) return ''
  if (value === undefined) throw new HttpError(400, 'The field "text" is missing: it must be a string.')
  if (typeof value !== 'string') throw new HttpError(400, `The field "text" must be a string, not ${nameKind(value)}.`)
  if (value === '' && !hasAttachments) {
    throw new HttpError(400, 'The field "text" is empty, and there are no "attachments": there is nothing to show.')
  }
  if (value.length > longest) {
    throw new HttpError(400, `The field "text" is longer than ${longest} characters: it has ${value.length}.`)
  }
  return value
}

/** Returns an optional string. Absent, null and empty values mean the same. */
function readName(members: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = own(members, field)
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') {
    throw new HttpError(400, `The field "${field}" must be a string, not ${nameKind(value)}.`)
  }
  if (value.length > longestName) {
    throw new HttpError(400, `The field "${field}" is longer than ${longestName} characters.`)
  }
  return value
}

/** An address that a browser fetches an image from, and never one that it runs. */
function readAddress(members: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const address = readName(members, field)
  if (address === undefined) return undefined
  const protocol = URL.canParse(address) ? new URL(address).protocol : undefined
  if (protocol === 'https:' || protocol === 'http:') return address
  throw new HttpError(400, `The field "${field}" must be an http or https address.`)
}

function readObject(members: Readonly<Record<string, unknown>>, field: string): Message['props'] {
  const value = own(members, field)
  if (value === undefined || value === null) return undefined
  if (typeof value === 'object' && !Array.isArray(value)) return value as Message['props']
  throw new HttpError(400, `The field "${field}" must be an object, not ${nameKind(value)}.`)
}
