import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

/** A folder, and where PostgreSQL is asked for a schema, that nobody else uses. */
export async function freshStore(): Promise<{ env: Record<string, string>; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'ratebook-gate-'))
  const database = process.env['RATEBOOK_TEST_DATABASE_URL']
  if (!database) return { env: { RATEBOOK_DATA: folder }, remove: () => rm(folder, { recursive: true }) }
  const schema = `bench_${randomUUID().replaceAll('-', '')}`
  const tell = async (text: string) => {
    const client = new Client({ connectionString: database })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await tell(`create schema ${schema}`)
  const url = new URL(database)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return {
    env: { RATEBOOK_DATA: folder, RATEBOOK_DATABASE_URL: url.href },
    async remove() {
      await tell(`drop schema ${schema} cascade`)
      await rm(folder, { recursive: true })
    },
  }
}
