import { expect, it } from 'vitest'
import { operationList } from '../../../src/operations/index.ts'
import { hasBody } from '../../../src/operations/operation.ts'
import { call } from '../../support/service.ts'
import { openDoor } from '../../support/doors.ts'

async function printed(url: string, env: Record<string, string> = {}): Promise<string> {
  const door = await openDoor({ env: { RATEBOOK_BASE_URL: 'https://rates.example.org', ...env } })
  return (await call(door.app, door.apiKey, 'GET', url)).body
}

it('prints llms.txt as the convention says: a title, a summary, then sections of links', async () => {
  const text = await printed('/llms.txt')
  const [title, summary, ...rest] = text.split('\n\n')
  expect(title).toMatch(/^# \S/)
  expect(summary).toMatch(/^> \S/)
  expect(text.match(/^# /gm)).toHaveLength(1)
  const sections = rest.join('\n\n').split(/^## /m).slice(1)
  expect(sections.map((section) => section.split('\n')[0])).toEqual([
    'Documentation',
    'Payer endpoints',
    'Provider endpoints',
    'Pricing endpoints',
    'Reports endpoints',
    'Contracts endpoints',
  ])
  for (const section of sections) {
    const links = section.split('\n').filter((line) => line.startsWith('- '))
    expect(links.length).toBeGreaterThan(0)
    for (const link of links)
      expect(link).toMatch(/^- \[[^\]]+\]\(https:\/\/rates\.example\.org\/[^)]+\): \S/)
  }
  for (const { method, path } of operationList)
    expect(text).toContain(`- [${method} ${path}](https://rates.example.org${path})`)
})

it.each(['/llms.txt', '/api/doc.md'])('prints the prices that the operator set: %s', async (url) => {
  const [before, after] = [await printed(url), await printed(url, { RATEBOOK_PRICES: 'npis=7' })]
  expect(before).not.toContain('7 credits')
  expect(after).toContain('7 credits')
})

it.each(operationList.map((operation) => [operation.name, operation] as const))(
  'prints %s in the reference, with its example',
  async (_, operation) => {
    const { method, path, example } = operation
    const text = await printed('/api/doc.md')
    expect(text).toContain(`### ${method} ${path}\n`)
    const blocks = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(
      ([, json]) => JSON.parse(json!) as unknown,
    )
    const shown = [example.response, ...(hasBody(operation) ? [example.request] : [])]
    expect(blocks).toEqual(expect.arrayContaining(shown.filter((part) => part !== undefined)))
  },
)
