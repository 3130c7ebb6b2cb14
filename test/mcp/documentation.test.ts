import { expect, it } from 'vitest'
import { toolList } from '../../src/operations/tools.ts'
import { testServer } from '../support/service.ts'

it('explains every tool to people and to programs, from one table, without a key', async () => {
  const { app } = await testServer()
  const page = await app.inject('/mcp/doc')
  const text = await app.inject('/mcp/doc.md')
  expect(page.headers['content-type']).toContain('text/html')
  expect(text.headers['content-type']).toContain('text/markdown')
  for (const { name } of toolList) {
    expect(page.body).toContain(name)
    expect(text.body).toContain(`### ${name}`)
  }
  expect(page.body).toContain('/api/v1/open/mcp')
  expect(page.body).not.toMatch(/<script|style=/)
  expect((await app.inject('/mcp/doc.css')).statusCode).toBe(200)
})
