/** Prints data/*.csv into the lists of src/vocabulary. `--check` only says whether they are fresh. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Rows of a small, trusted csv of ours: commas, double quotes, no line breaks inside a value. */
function csvRows(name: string): string[][] {
  const lines = readFileSync(join(root, 'data', name), 'utf8')
    .split('\n')
    .slice(1)
    .filter(Boolean)
  return lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    ),
  )
}

const header = (source: string) =>
  `// Printed from data/${source} by \`npm run lists\`. Change the csv, not this file.\n`
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const listOf = (text = '') =>
  `[${text
    .split(';')
    .filter(Boolean)
    .map((value) => quoted(value.trim()))
    .join(', ')}]`

/** Each printed file with its text. */
export function printedLists(): Record<string, string> {
  return {
    'src/vocabulary/taxonomy-list.ts': [
      header('taxonomy.csv'),
      'export const taxonomyList: readonly (readonly [string, string, string, string, string])[] = [\n',
      ...csvRows('taxonomy.csv').map((row) => `  [${row.map(quoted).join(', ')}],\n`),
      ']\n',
    ].join(''),
    'src/vocabulary/place-of-service-list.ts': [
      header('place-of-service.csv'),
      '/** Code to name. */\nexport const placeOfServiceNames: Readonly<Record<string, string>> = {\n',
      ...csvRows('place-of-service.csv').map(
        ([code = '', name = '']) => `  ${quoted(code)}: ${quoted(name)},\n`,
      ),
      '}\n\n',
      '/** Places where Medicare pays a physician the facility amount. */\nexport const facilityPlaces: ReadonlySet<string> = new Set([\n',
      ...csvRows('place-of-service.csv')
        .filter(([, , setting]) => setting === 'facility')
        .map(([code = '']) => `  ${quoted(code)},\n`),
      '])\n',
    ].join(''),
    'src/vocabulary/payers-list.ts': [
      header('payers.csv'),
      "import type { PayerEntry } from './payer-entry.ts'\n\nexport const payerList: readonly PayerEntry[] = [\n",
      ...csvRows('payers.csv').map(
        ([payer = '', name = '', states, aliases]) =>
          `  { payer: ${quoted(payer)}, name: ${quoted(name)}, states: ${listOf(states)}, aliases: ${listOf(aliases)} },\n`,
      ),
      ']\n',
    ].join(''),
  }
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(printedLists())) {
    const file = join(root, path)
    const old = (() => {
      try {
        return readFileSync(file, 'utf8')
      } catch {
        return ''
      }
    })()
    if (old === text) continue
    if (process.argv.includes('--check')) {
      console.error(`${path} is stale: run npm run lists`)
      process.exitCode = 1
    } else {
      writeFileSync(file, text)
      console.log(`printed ${path}`)
    }
  }
}
