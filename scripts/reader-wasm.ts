import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { main } from 'assemblyscript/asc'

/** Compiles the reader's AssemblyScript. The same source gives the same bytes, so that a test can hold the committed file fresh. */
export async function readerWasm(): Promise<Uint8Array> {
  const written = new Map<string, Uint8Array | string>()
  let complaints = ''
  const stderr = {
    write(text: string) {
      complaints += text
    },
  }
  const { error } = await main(
    [
      'src/ingestion/reader/assembly/index.ts',
      '--outFile',
      'reader.wasm',
      '-O3',
      '--noAssert',
      '--runtime',
      'stub',
      '--enable',
      'simd',
      '--importMemory',
      '--noExportMemory',
    ],
    {
      stderr,
      writeFile(name: string, contents: Uint8Array | string) {
        written.set(name, contents)
      },
    },
  )
  const wasm = written.get('reader.wasm')
  if (error || !(wasm instanceof Uint8Array))
    throw new Error(`${complaints}\n${error?.message ?? 'no output'}`)
  return wasm
}

if (process.argv[1] === import.meta.filename) {
  const path = join(import.meta.dirname, '../src/ingestion/reader/reader.wasm')
  const wasm = await readerWasm()
  writeFileSync(path, wasm)
  console.log(`${path}: ${wasm.length} bytes`)
}
