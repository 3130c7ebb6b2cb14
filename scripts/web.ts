/** Builds the web application where it is missing or older than its sources; `npm start` calls this first. */
import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs'
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
  // Whoever starts us: what is served is never a development build.
  process.env['NODE_ENV'] = 'production'
  const { build } = await import('vite')
  const [made, place, old] = [`web-${process.pid}`, 'web', `old-web-${process.pid}`].map((name) =>
    join(root, 'dist', name),
  ) as [string, string, string]
  await build({
    configFile: join(root, 'vite.config.ts'),
    root: join(root, 'web'),
    logLevel: 'warn',
    build: { outDir: made },
  })
  // Beside its place and then into it: a server that hands it out meanwhile never finds half of it.
  if (existsSync(place)) renameSync(place, old)
  renameSync(made, place)
  rmSync(old, { recursive: true, force: true })
  console.log('Built the web application.')
}
