import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeTable } from '../../test/support/small-directory.ts'
import { match } from '../search/match.ts'
import { nameKey, words } from '../search/words.ts'
import { buildIndex } from './build-index.ts'
import { ccnSearch } from './hospitals.ts'
import { npiSearch } from './npis.ts'
import { OpenedProviders, sharedProviders } from './opened.ts'

const data = process.env['RATEBOOK_REAL_DATA'] ?? join(import.meta.dirname, '../../../shared/data')
const hospitalsCsv = join(data, 'hospitals/Hospital_General_Information_2026-02.csv')
const providersCsv = join(data, 'providers/nppes/onyemc_clean_NPPES_sample_2026.csv')
const isThere = existsSync(hospitalsCsv) && existsSync(providersCsv)
if (!isThere) console.warn(`real names are not checked: ${data} is missing`)

/** Every so many names: a test has seconds. `npm run soak` asks all. */
const isWhole = process.env['RATEBOOK_TEST_ALL_NAMES'] === 'yes'
const every = isWhole ? 1 : 4
/** Each makes other slips. */
const seeds = isWhole ? [5, 6, 7, 8, 9, 10] : [5]
const both = { display: true, others: true }

describe.runIf(isThere)('real names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ratebook-names-'))
  let opened: OpenedProviders

  beforeAll(async () => {
    const text = (path: string) => `'${path.replaceAll("'", "''")}'`
    await writeTable(
      join(folder, 'hospitals.duckdb'),
      `create table hospitals as
       select "Facility ID" as ccn, "Facility Name" as name, "Address" as street, "City/Town" as city, "State" as state,
         "ZIP Code" as zip, null::varchar as phone, "Hospital Type" as provider_type, "Hospital Ownership" as ownership,
         true as emergency, null::utinyint as care_quality, null::uinteger as bed_count, null::varchar as health_system,
         []::struct(npi ubigint)[] as npis, null::ubigint as npi, []::varchar[] as other_names,
         'Hospital' as ccn_category, null::varchar as ccn_facility_type, null::varchar as ccn_unit
       from read_csv(${text(hospitalsCsv)}, all_varchar = true)`,
    )
    await writeTable(
      join(folder, 'providers.duckdb'),
      `create table providers as
       select "NPI"::ubigint as npi, 'individual' as entity_type,
         concat_ws(' ', "Provider First Name", "Provider Middle Name", "Provider Last Name (Legal Name)") as name,
         []::varchar[] as other_names, "Provider Credential Text" as credentials, null::varchar as primary_taxonomy,
         []::varchar[] as taxonomies, null::varchar as state, []::varchar[] as counties, false as deactivated
       from read_csv(${text(providersCsv)}, all_varchar = true)`,
    )
    const index = join(folder, 'index')
    const built = await buildIndex(index, {
      providersFile: join(folder, 'providers.duckdb'),
      hospitalsFile: join(folder, 'hospitals.duckdb'),
      listed: [],
    })
    writeFileSync(join(index, 'index.json'), JSON.stringify(built))
    opened = new OpenedProviders(sharedProviders(index))
  }, 120_000)
  afterAll(() => {
    opened?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const asked = (rows: number) => Array.from({ length: Math.ceil(rows / every) }, (_, place) => place * every)
  const key = (name: string) => nameKey(words(name))

  const bears = (title: string, typed: string) => {
    const there = words(title)
    return words(typed).every((word) => there.some((other) => other.startsWith(word)))
  }

  it('holds the whole list', () => expect(opened.hospitals.rows).toBe(5_421))

  // Some hundred hospitals share a name with another. Nobody can tell them apart by it, so the name must bring one of
  // the namesakes first, and the name with city and state must bring this one.
  it('every hospital is found first by its own name', () => {
    const missed = asked(opened.hospitals.rows).filter((row) => {
      const { name } = opened.hospital(row)
      const [top] = match(opened.hospitals, { text: name, filters: [], fields: both, limit: 10 })
      return top === undefined || key(opened.hospital(top.row).name) !== key(name)
    })
    expect(missed.map((row) => opened.hospital(row).name)).toEqual([])
  }, 120_000)

  it('namesakes are told apart by city and state', () => {
    const times = new Map<string, number>()
    const all = Array.from({ length: opened.hospitals.rows }, (_, row) => opened.hospital(row))
    const place = ({ name, city, state }: (typeof all)[number]) => `${key(name)} ${city} ${state}`
    for (const hospital of all)
      for (const same of [key(hospital.name), place(hospital)]) times.set(same, (times.get(same) ?? 0) + 1)
    const namesakes = all.filter(
      (hospital) => (times.get(key(hospital.name)) ?? 0) > 1 && times.get(place(hospital)) === 1,
    )
    expect(namesakes.length).toBeGreaterThan(100)
    const missed = namesakes.filter(({ ccn, name, city, state }) => {
      const [top] = match(opened.hospitals, {
        text: `${name} ${city} ${state}`,
        filters: [],
        fields: both,
        limit: 10,
      })
      return top === undefined || opened.hospital(top.row).ccn !== ccn
    })
    expect(missed.map(({ name, city, state }) => `${name}, ${city}, ${state}`)).toEqual([])
  }, 120_000)

  // A slip can turn a name into another hospital's own name (ANTHONYS into ANTHONY): then that one is the right answer.
  it.each(seeds)(
    'every hospital is among the first ten by its name with one slip (%i)',
    (seed) => {
      const dice = sequence(seed)
      const keys = new Set(
        Array.from({ length: opened.hospitals.rows }, (_, row) => key(opened.hospital(row).name)),
      )
      const missed = asked(opened.hospitals.rows).flatMap((row) => {
        const { name } = opened.hospital(row)
        const typed = slipped(name, dice)
        const found = match(opened.hospitals, { text: typed, filters: [], fields: both, limit: 10 })
        const isFound = found.some((hit) => key(opened.hospital(hit.row).name) === key(name))
        // The same is true where ten bear every word of it as it was typed (NC HEALTH for NMC HEALTH).
        const areAsGood =
          found.length === 10 &&
          found.every((hit) =>
            bears(`${opened.hospital(hit.row).name} ${opened.hospital(hit.row).state}`, typed),
          )
        return isFound || areAsGood || keys.has(key(typed)) ? [] : [`${typed} for ${name}`]
      })
      expect(missed).toEqual([])
    },
    240_000,
  )

  it('forty letters of a name are enough for the operation', () => {
    const long = asked(opened.hospitals.rows).filter((row) => opened.hospital(row).name.length > 40)
    const missed = long.filter((row) => {
      const { ccn, name } = opened.hospital(row)
      const typed = name.slice(0, 40)
      const found = ccnSearch(opened, { searchTerms: [typed], limit: 10 })
      // Where ten others begin with the same letters, they are as right.
      const areAsGood = found.length === 10 && found.every(({ title }) => bears(title, typed))
      return !areAsGood && !found.some(({ value }) => value === ccn)
    })
    expect(missed.map((row) => opened.hospital(row).name)).toEqual([])
  }, 120_000)

  it('people are found by their name in any order, and within ten with one slip', () => {
    const dice = sequence(9)
    const missed = asked(opened.npis.rows).flatMap((row) => {
      const { name } = opened.npi(row)
      const turned = name.split(' ').reverse().join(' ').slice(0, 40)
      const typed = slipped(name, dice).slice(0, 40)
      const isFound = (searchTerm: string) =>
        npiSearch(opened, { searchTerm, limit: 10 }).some(
          ({ displayName = '' }) => key(displayName) === key(name),
        )
      return [...(isFound(turned) ? [] : [turned]), ...(isFound(typed) ? [] : [`${typed} for ${name}`])]
    })
    // A slip in a surname of three letters leaves too little to go by; see docs/decisions.
    expect(missed.length / asked(opened.npis.rows).length).toBeLessThan(0.02)
  }, 120_000)
})

/** A repeatable sequence of whole numbers below a bound. */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 0x1_0000_0000) * below)
  }
}

/** A name with one letter left out, put in, changed, or swapped with the next; the first letter stays. */
function slipped(name: string, dice: (below: number) => number): string {
  for (;;) {
    const at = 1 + dice(name.length - 1)
    const letter = String.fromCharCode(65 + dice(26))
    const [before, here = '', next = '', after] = [
      name.slice(0, at),
      name[at],
      name[at + 1],
      name.slice(at + 1),
    ]
    const made = [
      before + after,
      before + letter + here + after,
      before + letter + after,
      before + next + here + name.slice(at + 2),
    ][dice(4)]
    if (made !== undefined && made !== name && /[A-Z]/.test(here)) return made
  }
}
