import { HttpError } from 'upkeep'
import { nameKind } from './name-kind.ts'

/**
 * What a chat shows below a message, as Slack and Mattermost have it: kept with every member that the sender gave it.
 */
export type Attachment = Readonly<Record<string, unknown>>

const most = 100

/** Members that are shown as text, and so are text. */
const texts = [
  'fallback',
  'color',
  'pretext',
  'author_name',
  'author_link',
  'author_icon',
  'title',
  'title_link',
  'text',
  'image_url',
  'thumb_url',
  'footer',
  'footer_icon',
]

/**
 * Returns the attachments in a value; `undefined` without a value.
 *
 * @throws HttpError 400 that names the member and what is expected.
 */
export function parseAttachments(value: unknown): readonly Attachment[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) {
    throw new HttpError(400, `The field "attachments" must be an array of objects, not ${nameKind(value)}.`)
  }
  if (value.length > most) throw new HttpError(400, `The field "attachments" holds more than ${most} of them.`)
  return value.length === 0 ? undefined : value.map((each, at) => parseAttachment(each, `attachments[${at}]`))
}

function parseAttachment(value: unknown, path: string): Attachment {
  const attachment = requireObject(value, path)
  for (const name of texts) {
    const text = attachment[name]
    if (text !== undefined && text !== null && typeof text !== 'string') {
      throw new HttpError(400, `The field "${path}.${name}" must be a string, not ${nameKind(text)}.`)
    }
  }
  for (const name of ['fields', 'actions']) {
    const list = attachment[name]
    if (list === undefined || list === null) continue
    if (!Array.isArray(list)) {
      throw new HttpError(400, `The field "${path}.${name}" must be an array of objects, not ${nameKind(list)}.`)
    }
    for (const [at, each] of list.entries()) requireObject(each, `${path}.${name}[${at}]`)
  }
  return attachment
}

function requireObject(value: unknown, path: string): Attachment {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, `The field "${path}" must be an object, not ${nameKind(value)}.`)
  }
  return value as Attachment
}
