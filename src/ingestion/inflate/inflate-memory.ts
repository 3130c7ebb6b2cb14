/** The little of the WebAssembly interface that is used here; the types of the language's own library leave it out. */
interface Wasm {
  readonly Memory: new (size: { initial: number; maximum: number; shared: true }) => InflateMemory
}
export interface InflateMemory {
  readonly buffer: SharedArrayBuffer
}
const { Memory } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly

const memoryPages = 544

/** Memory for an inflater, which several threads may look at. */
export const inflateMemory = (): InflateMemory =>
  new Memory({ initial: memoryPages, maximum: memoryPages, shared: true })

/** Places and sizes as in assembly/layout.ts; a test holds them equal. */
export const layout = {
  regInAt: 1024,
  regInEnd: 1028,
  regLast: 1032,
  regOutAt: 1036,
  regOutStart: 1040,
  regReach: 1044,
  inputAt: 65_536,
  inputBytes: 1 << 20,
  historyBytes: 32_768,
  slotBytes: 1 << 20,
  slotStride: 32_768 + (1 << 20) + 1_024,
  slotCount: 28,
  packedBytes: 1 << 18,
  packedCount: 16,
  packedsAt: 65_536 + (1 << 20) + 1_024,
  slotsAt: 65_536 + (5 << 20) + 1_024,
} as const

/** Where a slot of output begins. */
export const slotAt = (slot: number) => layout.slotsAt + slot * layout.slotStride + layout.historyBytes

/** Where a piece of packed bytes waits. */
export const packedAt = (piece: number) => layout.packedsAt + piece * layout.packedBytes
