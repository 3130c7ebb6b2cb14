/** Builds the web application where it is missing or older than its sources; `npm start` calls this first. */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const newest = (patterns: string[]) =>
  Math.max(
    0,
    ...patterns
      .flatMap((pattern) => globSync(pattern, { cwd: root }))
      .map((path) => statSync(join(root, path)).mtimeMs),
  )

const sources = newest([
  'web/**/*.{ts,tsx,css,html,svg}',
  'src/{operations,vocabulary}/**/*.ts',
  'src/errors.ts',
  'vite.config.ts',
])
const built = newest(['dist/web/index.html'])

if (built < sources) {
  const { build } = await import('vite')
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
  console.log('Built the web application.')
}
