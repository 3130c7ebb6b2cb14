import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BuildProviders } from './build.ts'
import { factsOf, ProviderAttributes, unknownProvider, zipNumber, zipText } from './provider-attributes.ts'

const none = new Uint32Array(0)

describe('provider attributes', () => {
  it('join every pair to the provider of its NPI, and to nobody where the directory has none', () => {
    const npis = fc
      .uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 })
      .map((list) => list.sort((a, b) => a - b))
    fc.assert(
      fc.property(npis, npis, (known, published) => {
        const attributes = new ProviderAttributes('test', 1)
        for (const npi of known)
          attributes.add({ npi, state: npi % 2 ? 'FL' : 'TX', taxonomy: `t${npi % 3}`, entityType: 'group' })
        const providers: BuildProviders = {
          npi: Float64Array.from(published),
          tin: new Float64Array(1),
          pairNpi: Uint32Array.from(published, (_, row) => row),
          pairTin: none,
          atomEnd: none,
          setEnd: none,
          setAtom: none,
        }
        const { rank, facts } = attributes.join(providers)
        for (const [pair, npi] of published.entries()) {
          const place = known.indexOf(npi)
          expect(rank[pair]).toBe(place < 0 ? unknownProvider : place)
          expect(attributes.rankOf(npi)).toBe(rank[pair])
          const expected =
            place < 0
              ? 0
              : factsOf(attributes.state[place]!, attributes.taxonomy[place]!, attributes.entityType[place]!)
          expect(facts[pair]).toBe(expected)
        }
      }),
    )
  })

  it('keep ZIP codes as they are written', () => {
    for (const zip of ['00501', '99950', '33101']) expect(zipText(zipNumber(zip))).toBe(zip)
    expect(zipText(zipNumber(null))).toBe('')
    expect(zipText(zipNumber('3310'))).toBe('')
  })
})
