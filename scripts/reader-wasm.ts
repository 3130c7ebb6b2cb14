import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { main } from 'assemblyscript/asc'

/** What is compiled to WebAssembly: source, and options besides the common ones. */
const modules = {
  'src/ingestion/reader/reader.wasm': { source: 'src/ingestion/reader/assembly/index.ts', options: [] },
  'src/ingestion/inflate/inflate.wasm': {
    source: 'src/ingestion/inflate/assembly/index.ts',
    options: ['--sharedMemory', '--maximumMemory', '544', '--enable', 'threads'],
  },
} as const

export type WasmPath = keyof typeof modules
export const wasmPaths = Object.keys(modules) as WasmPath[]

/** Compiles AssemblyScript. The same source gives the same bytes, so that a test can hold the committed file fresh. */
export async function compiledWasm(path: WasmPath): Promise<Uint8Array> {
  const { source, options } = modules[path]
  const written = new Map<string, Uint8Array | string>()
  let complaints = ''
  const stderr = {
    write(text: string) {
      complaints += text
    },
  }
  const common = '-O3 --noAssert --runtime stub --enable simd --importMemory --noExportMemory'
  const { error } = await main([source, '--outFile', 'out.wasm', ...common.split(' '), ...options], {
    stderr,
    writeFile(name: string, contents: Uint8Array | string) {
      written.set(name, contents)
    },
  })
  const wasm = written.get('out.wasm')
  if (error || !(wasm instanceof Uint8Array))
    throw new Error(`${complaints}\n${error?.message ?? 'no output'}`)
  return wasm
}

if (process.argv[1] === import.meta.filename) {
  for (const path of wasmPaths) {
    const wasm = await compiledWasm(path)
    writeFileSync(join(import.meta.dirname, '..', path), wasm)
    console.log(`${path}: ${wasm.length} bytes`)
  }
}
