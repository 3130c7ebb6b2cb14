/** The documents that payers publish, as far as a first look can tell. */
export type DocumentKind = 'table-of-contents' | 'in-network' | 'allowed-amounts' | 'provider-reference'

const marks: readonly (readonly [DocumentKind, RegExp])[] = [
  ['table-of-contents', /"reporting_structure"\s*:/],
  ['allowed-amounts', /"out_of_network"\s*:/],
  ['in-network', /"(in_network|provider_references)"\s*:/],
  ['provider-reference', /"provider_groups"\s*:/],
]

/**
 * What a JSON document is, by the first of its telling keys. Where the first bytes name none of them,
 * it is taken for an in-network file, and its reader says what is wrong with it.
 */
export function documentKind(head: Uint8Array): DocumentKind {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  const places = marks
    .map(([kind, mark]) => ({ kind, at: text.search(mark) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
  return places[0]?.kind ?? 'in-network'
}
