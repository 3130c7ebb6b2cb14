import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { sameSecret } from './tokens.ts'

// OWASP's recommendation for argon2id: 19 MiB, two passes, one lane.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const tagLength = 32

const derive = promisify(argon2)

/** A password as we keep it, in the PHC text form. */
export async function passwordHash(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await derive('argon2id', { message: Buffer.from(password), nonce: salt, tagLength, ...cost })
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${bare(salt)}$${bare(tag)}`
}

/** Whether this is the password. Without a hash it takes as long and says no, so that time does not tell who has an account. */
export async function passwordHolds(password: string, hash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash ?? nobody) ?? []
  if (!salt || !tag) return false
  const made = await derive('argon2id', {
    message: Buffer.from(password),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: Buffer.from(tag, 'base64').length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return sameSecret(bare(made), tag) && hash !== undefined
}

const bare = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${bare(Buffer.alloc(16))}$${bare(Buffer.alloc(tagLength))}`
