/** Prints what the code knows into docs/: the API reference, the machine description, the settings. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { settingLines } from '../src/config.ts'
import { markdownOf } from '../src/http/blocks.ts'
import { mcpDocumentation } from '../src/http/mcp-documentation.ts'
import { openApi } from '../src/http/openapi.ts'
import { reference } from '../src/http/reference.ts'

const root = join(import.meta.dirname, '..')
const baseUrl = 'http://127.0.0.1:8080'

function configuration(): string {
  const rows = settingLines({}).map(
    (line) =>
      `| \`${line.name}\` | ${line.default && `\`${line.default}\``} | ${line.meaning.replaceAll('|', '\\|')} |`,
  )
  return [
    '# Configuration',
    'Printed from `src/config.ts` by `npm run docs`. Settings come from the environment; `npx ratebook config` prints them with their present values. A name that starts with `RATEBOOK_` and is not listed here is refused at start.',
    ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n'),
    '',
  ].join('\n\n')
}

/** Every setting with its default, to copy and change. */
function environmentExample(): string {
  const lines = settingLines({}).map((line) => `# ${line.meaning}\n# ${line.name}=${line.default}\n`)
  return [
    '# Printed from src/config.ts by `npm run docs`: every setting with its default.',
    '# Copy to .env, change what you need, and start with `node --env-file=.env bin/ratebook.js serve`.\n',
    ...lines,
  ].join('\n')
}

/** Each printed file with its text. */
export function printedDocs(): Record<string, string> {
  return {
    'docs/api.md': reference(baseUrl),
    'docs/mcp.md': markdownOf(mcpDocumentation(baseUrl)),
    'docs/openapi.json': `${JSON.stringify(openApi(baseUrl), null, 2)}\n`,
    'docs/configuration.md': configuration(),
    '.env.example': environmentExample(),
  }
}

if (import.meta.main)
  for (const [path, text] of Object.entries(printedDocs())) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    console.log(`printed ${path} (${readFileSync(file).length} bytes)`)
  }
