/** A question as a program asks it, in one language. */
export interface CallCode {
  readonly name: string
  readonly text: string
}

/** The same POST in curl, TypeScript and Python, and as a tool call where there is a tool for it. */
export function callCodes(url: string, body: unknown, tool?: string): CallCode[] {
  return [
    { name: 'curl', text: curlCode('POST', url, readableJson(body)) },
    { name: 'TypeScript', text: typeScriptCode(url, body) },
    { name: 'Python', text: pythonCode(url, body) },
    ...(tool
      ? [
          {
            name: 'Tool call',
            text: readableJson({ method: 'tools/call', params: { name: tool, arguments: body } }),
          },
        ]
      : []),
  ]
}

/** A call as one types it into a shell; the key stays a variable. */
export function curlCode(method: string, url: string, body?: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl -s${method === 'POST' || method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    `-H "Authorization: Bearer $RATEBOOK_KEY"`,
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

const typeScriptCode = (url: string, body: unknown) => `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.RATEBOOK_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${readableJson(body).replaceAll('\n', '\n  ')}),
})
if (!response.ok) throw new Error(await response.text())
const rows = await response.json()`

const pythonCode = (url: string, body: unknown) => `import os
import requests

response = requests.post(
    "${url}",
    headers={"Authorization": f"Bearer {os.environ['RATEBOOK_KEY']}"},
    json=${printed(body, pythonWords, '    ')},
)
response.raise_for_status()
rows = response.json()`

interface Words {
  readonly true: string
  readonly false: string
  readonly null: string
}
const jsonWords: Words = { true: 'true', false: 'false', null: 'null' }
const pythonWords: Words = { true: 'True', false: 'False', null: 'None' }
const lineMost = 90

/** JSON to read: what is short stands on one line. */
export const readableJson = (value: unknown) => printed(value, jsonWords, '')

function printed(value: unknown, words: Words, indent: string): string {
  if (value === null || typeof value === 'boolean') return words[String(value) as keyof Words]
  if (typeof value !== 'object') return JSON.stringify(value)
  const deeper = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => printed(one, words, deeper))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${JSON.stringify(key)}: ${printed(one, words, deeper)}`)
  const [open, close] = isList ? '[]' : '{}'
  if (parts.length === 0) return `${open}${close}`
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  const isFlat = Object.values(value).every((one) => typeof one !== 'object' || one === null)
  if (isFlat && indent !== '' && line.length <= lineMost) return line
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`
}
