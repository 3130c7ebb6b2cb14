import type { State } from './enums.ts'

/**
 * The two-character codes with which a CCN begins, by state.
 * CMS gives a state another code when a range of numbers runs out; since 2016 the new ones begin with a letter.
 * Canada (56), Mexico (59) and other countries (99) have no state of ours.
 */
const codesByState: Partial<Record<State, string>> = {
  AK: '02',
  AL: '01',
  AR: '04 89',
  AS: '64',
  AZ: '03 00',
  CA: '05 55 75 92 A0 A1 B2 B3 B4 B5 D6 D7 D8',
  CO: '06 91',
  CT: '07 81',
  DC: '09',
  DE: '08',
  FL: '10 68 69 A2 C1',
  GA: '11 85',
  GU: '65',
  HI: '12',
  IA: '16 76',
  ID: '13 54',
  IL: '14 78',
  IN: '15',
  KS: '17 70',
  KY: '18 B0',
  LA: '19 71 95 A3',
  MA: '22 82',
  MD: '21 80',
  ME: '20',
  MI: '23 A4',
  MN: '24 77',
  MO: '26 79',
  MP: '66',
  MS: '25 A5',
  MT: '27',
  NC: '34 86',
  ND: '35',
  NE: '28',
  NH: '30',
  NJ: '31 83',
  NM: '32 96',
  NV: '29',
  NY: '33 57',
  OH: '36 72 A6',
  OK: '37 90',
  OR: '38 93',
  PA: '39 73 A7',
  PR: '40 84',
  RI: '41',
  SC: '42 87',
  SD: '43',
  TN: '44 88 A8',
  TX: '45 67 74 97 A9 E2 E3',
  UT: '46',
  VA: '49',
  VI: '48',
  VT: '47',
  WA: '50 94',
  WI: '52',
  WV: '51 58 B1',
  WY: '53',
}

/** The state of each code; codes that are absent are foreign, or were given out after this list was made. */
export const ccnStates: ReadonlyMap<string, State> = new Map(
  Object.entries(codesByState).flatMap(([state, codes]) =>
    codes.split(' ').map((code) => [code, state as State] as const),
  ),
)
