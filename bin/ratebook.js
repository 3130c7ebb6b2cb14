#!/usr/bin/env node
// Plain JavaScript on purpose: this line must be readable by any Node, to say which Node is needed or to find it.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const needed = 24
const main = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'cli', 'main.ts')

if (Number(process.versions.node.split('.')[0]) >= needed) {
  // Compiled code is kept from one run to the next, for our threads too: most of a short command is reading its own source.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache')
  module.enableCompileCache()
  await import(main)
} else {
  // npm scripts already run on the Node that package-lock.json pins; a plain `./bin/ratebook.js` may not.
  const pinned = join(dirname(main), '..', '..', 'node_modules', '.bin', 'node')
  if (!existsSync(pinned)) {
    console.error(
      `ratebook needs Node ${needed} or newer; this is ${process.version}. Run npm ci, or install Node ${needed}.`,
    )
    process.exit(1)
  }
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
}
