import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Failure } from '../errors.ts'

/** Where a walk stands: which question, whose, on which state of the data, after how many rows, until when. */
export interface CursorPosition {
  readonly query: string
  readonly organization: string
  readonly snapshot: string
  readonly position: number
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** Cursors that nobody but us can make: `c1.<base64url json>.<hmac>`. */
export interface CursorCodec {
  encode(position: CursorPosition): string
  /** Refuses a cursor that was changed, has expired, or belongs to another question or organisation. */
  decode(cursor: string, expected: { query: string; organization: string; now: number }): CursorPosition
}

const version = 'c1'

export function cursorCodec(secret: string): CursorCodec {
  const mark = (body: string) => createHmac('sha256', secret).update(`${version}.${body}`).digest()
  return {
    encode({ query, organization, snapshot, position, expires }) {
      const body = Buffer.from(JSON.stringify([query, organization, snapshot, position, expires])).toString(
        'base64url',
      )
      return `${version}.${body}.${mark(body).toString('base64url')}`
    },
    decode(cursor, { query, organization, now }) {
      const [head, body = '', given = '', ...rest] = cursor.split('.')
      const wanted = mark(body)
      const mine = Buffer.from(given, 'base64url')
      const genuine =
        head === version &&
        rest.length === 0 &&
        mine.length === wanted.length &&
        timingSafeEqual(mine, wanted) &&
        mine.toString('base64url') === given
      if (!genuine) throw new Failure('invalid_cursor', 'This is not a cursor that this service gave out.')
      const [q, o, snapshot, position, expires] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
        string,
        string,
        string,
        number,
        number,
      ]
      if (q !== query)
        throw new Failure('invalid_cursor', 'The request differs from the one that the cursor was made for.')
      if (o !== organization)
        throw new Failure('invalid_cursor', 'The cursor belongs to another organisation.')
      if (expires < now)
        throw new Failure('invalid_cursor', 'The cursor has expired. Start again without it.')
      return { query: q, organization: o, snapshot, position, expires }
    },
  }
}

/** A short name for a question: equal for equal questions, however their properties are ordered. */
export function questionHash(question: unknown): string {
  return createHash('sha256').update(canonical(question)).digest('base64url').slice(0, 22)
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
    .join()}}`
}
