import { describe, expect, it } from 'vitest'
import type { ListedHospital, ListedSystem } from './hospital-files.ts'
import { systemMatcher } from './hospital-match.ts'

const hospital = (facts: Partial<ListedHospital>): ListedHospital => ({
  ccn: '290009',
  name: 'NORTHFIELD REGIONAL MEDICAL CENTER',
  street: '235 W 6TH ST',
  city: 'RENO',
  state: 'NV',
  zip: '89503',
  county: '',
  phone: '',
  type: 'Acute Care Hospitals',
  ownership: '',
  emergency: '',
  rating: '',
  ...facts,
})

const listed = (facts: Partial<ListedSystem>): ListedSystem => ({
  ccn: '',
  name: 'NORTHFIELD REGIONAL MEDICAL CENTER',
  street: '235 WEST SIXTH STREET',
  city: 'RENO',
  state: 'NV',
  zip: '89503',
  type: 'GENERAL ACUTE CARE',
  beds: 100,
  system: 'NORTHFIELD',
  isOpen: true,
  ...facts,
})

const match = (
  one: ListedHospital,
  systems: readonly ListedSystem[],
  others: readonly ListedHospital[] = [],
) => systemMatcher(systems, [one, ...others])(one)

describe('a hospital and its health system', () => {
  it('meet by CCN before anything else', () =>
    expect(match(hospital({}), [listed({}), listed({ ccn: '290009', name: 'OTHER' })])).toMatchObject({
      by: 'ccn',
      entry: { name: 'OTHER' },
    }))

  it('meet by name and ZIP, however the name is shortened', () =>
    expect(match(hospital({}), [listed({ name: 'Northfield Reg. Med Ctr', street: '' })])?.by).toBe(
      'name and ZIP',
    ))

  it('meet by address under a new name', () =>
    expect(match(hospital({ name: 'RENAMED HOSPITAL' }), [listed({ street: '235 W 6TH STREET' })])?.by).toBe(
      'address and state',
    ))

  it('do not meet by an address in another town', () => {
    const elsewhere = listed({ street: '235 W 6TH ST', city: 'ELKO', zip: '89801', name: 'ELKO HOSPITAL' })
    expect(match(hospital({}), [elsewhere])).toBeUndefined()
    // The same name says that one of the ZIP codes is wrong.
    expect(match(hospital({}), [{ ...elsewhere, name: 'NORTHFIELD OF RENO' }])?.by).toBe('address and state')
  })

  it('do not meet where another kind of hospital lies in the same building', () =>
    expect(
      match(hospital({}), [
        listed({ street: '235 W 6TH ST', name: 'PAM SPECIALTY HOSPITAL', type: 'LONG TERM CARE' }),
      ]),
    ).toBeUndefined())

  it('do not meet where the entry is a neighbour’s by its name', () => {
    const entry = listed({ street: '600 E 125TH ST', name: 'KIRBY FORENSIC CENTER', type: 'PSYCHIATRIC' })
    const kirby = hospital({
      ccn: '1',
      name: 'KIRBY FORENSIC CENTER',
      street: '600 E 125TH ST',
      type: 'Psychiatric',
    })
    const neighbour = hospital({ name: 'ISLAND CENTER', street: '600 E 125TH ST', type: 'Psychiatric' })
    expect(match(neighbour, [entry], [kirby])).toBeUndefined()
    expect(match(neighbour, [entry])?.by).toBe('address and state')
  })

  it('takes the namesake of its own type, and the open one that says more', () => {
    const systems = [
      listed({ beds: 5, system: '' }),
      listed({ beds: 7, isOpen: false }),
      listed({ beds: 20, type: 'PSYCHIATRIC' }),
      listed({ beds: 90 }),
    ]
    expect(match(hospital({}), systems)?.entry.beds).toBe(90)
    expect(match(hospital({ type: 'Psychiatric' }), systems)?.entry.beds).toBe(20)
  })
})
