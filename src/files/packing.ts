export type Packing = 'zip' | 'gzip' | 'plain'

/** How a file is packed, judged by its first bytes: names lie. An empty archive is one too. */
export function packingOf(head: Uint8Array): Packing {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  if (head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)) return 'zip'
  return 'plain'
}
