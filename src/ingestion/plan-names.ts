/** The kinds of plan that reported names are reduced to, in the order in which they are looked for. */
export const planTypes = [
  'HMO',
  'PPO',
  'EPO',
  'POS',
  'HDHP',
  'Indemnity',
  'Open Access',
  'Medicare',
  'Medicaid',
  'Dental',
  'Vision',
  'Catastrophic',
  'Other',
] as const
export type PlanType = (typeof planTypes)[number]

// Words run together in real names: OAPOS, PPOHSA, HMOPOS, QHDHP, BluePPO, EPO2500.
const patterns: readonly (readonly [PlanType, RegExp])[] = [
  ['HMO', /^(OA|HD|Q?HDHP|MY|BLUE)?HMO(POS|HSA|HRA|X)?\d*$|^HEALTH MAINTENANCE ORGANI[SZ]ATION$/],
  [
    'PPO',
    /^(OA|HD|Q?HDHP|CDHP|BLUE|HSA|MY)?PPO(HSA|HRA|HDHP|CDHP|X)?\d*$|^PREFERRED PROVIDER ORGANI[SZ]ATION$/,
  ],
  ['EPO', /^(OA|HD|Q?HDHP|CDHP|BLUE|HSA|MY)?EPO(HSA|HRA|HDHP|X)?\d*$|^EXCLUSIVE PROVIDER ORGANI[SZ]ATION$/],
  ['POS', /^(OA|HMO|HD|MY)?POS(II|III|HSA|HRA)?\d*$|^POINT OF SERVICE$/],
  [
    'HDHP',
    /^(Q?HDHP|CDHP|HSA|CDH|HD|HIGH DEDUCTIBLE|(PPO|EPO|HMO|POS)(HSA|HDHP|CDHP)|HD(PPO|EPO|HMO|POS)|(Q?HDHP|CDHP|HSA)(PPO|EPO|HMO))\d*$/,
  ],
  ['Indemnity', /^(INDEMNITY|TRADITIONAL|FEE FOR SERVICE|FFS)$/],
  ['Open Access', /^(OAP\w?|OAPIN|OPEN ACCESS(?: PLUS)?|OA)$/],
  ['Medicare', /^(MEDICARE|MAPD|MEDIGAP)$/],
  ['Medicaid', /^(MEDICAID|CHIP)$/],
  ['Dental', /^(DENTAL|DPPO|DHMO)$/],
  ['Vision', /^VISION$/],
  ['Catastrophic', /^CATASTROPHIC$/],
]

const phrases =
  /\b(HEALTH MAINTENANCE ORGANI[SZ]ATION|PREFERRED PROVIDER ORGANI[SZ]ATION|EXCLUSIVE PROVIDER ORGANI[SZ]ATION|POINT OF SERVICE|HIGH DEDUCTIBLE|FEE FOR SERVICE|OPEN ACCESS(?: PLUS)?)\b/g

/**
 * What kinds of plan a reported name stands for: "271314 2 PPO CDHP WITH HSA_N2N" is PPO and HDHP.
 * A name that says nothing of the sort is Other.
 */
export function normalPlanNames(reported: string): PlanType[] {
  // A capital inside a word begins a new one: BlueChoicePPO.
  const upper = reported
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, ' ')
    .trim()
  const whole = upper.match(phrases) ?? []
  const words = [...whole, ...upper.replaceAll(phrases, ' ').split(' ')]
  const found = patterns
    .filter(([, pattern]) => words.some((word) => pattern.test(word)))
    .map(([type]) => type)
  return found.length > 0 ? found : ['Other']
}
