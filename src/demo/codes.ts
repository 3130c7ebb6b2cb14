/**
 * The codes of the demo with what Medicare pays for them about: dollars of 2025, national, rounded.
 * Physician fee schedule, ASP and OPPS amounts are those of the official files; laboratory, ambulance and anesthesia
 * (base units and four time units) are approximations. They only give synthetic rates a plausible size.
 */
const services = `
# type code office facility outpatient professional-component technical-component family
CPT 99202 69.87 45.29 0 0 0 office
CPT 99203 109.01 79.25 0 0 0 office
CPT 99204 163.35 129.06 0 0 0 office
CPT 99205 215.75 175.64 0 0 0 office
CPT 99211 22.64 8.41 0 0 0 office
CPT 99212 54.99 33.96 0 0 0 office
CPT 99213 88.95 63.72 0 0 0 office
CPT 99214 125.18 93.8 0 0 0 office
CPT 99215 175.64 138.77 0 0 0 office
CPT 99221 79.57 79.57 0 0 0 hospital visit
CPT 99222 125.5 125.5 0 0 0 hospital visit
CPT 99223 167.23 167.23 0 0 0 hospital visit
CPT 99231 47.23 47.23 0 0 0 hospital visit
CPT 99232 76.34 76.34 0 0 0 hospital visit
CPT 99233 113.86 113.86 0 0 0 hospital visit
CPT 99238 78.28 78.28 0 0 0 hospital visit
CPT 99239 110.63 110.63 0 0 0 hospital visit
CPT 99281 11 11 88.05 0 0 emergency
CPT 99282 40.43 40.43 158.36 0 0 emergency
CPT 99283 68.25 68.25 276.89 0 0 emergency
CPT 99284 116.45 116.45 425.82 0 0 emergency
CPT 99285 168.85 168.85 613.1 0 0 emergency
CPT 99291 265.56 205.72 842.61 0 0 hospital visit
CPT 99396 128 89.92 0 0 0 office
CPT 99454 43.02 43.02 37.29 0 0 office
CPT 99490 60.49 47.87 92.5 0 0 office
CPT 10060 124.21 104.8 198.7 0 0 skin
CPT 11042 125.18 58.87 399.53 0 0 skin
CPT 11102 95.75 36.23 198.7 0 0 skin
CPT 11730 110.63 52.08 198.7 0 0 skin
CPT 12001 91.22 43.34 198.7 0 0 skin
CPT 17000 66.31 53.7 198.7 0 0 skin
CPT 17110 109.98 67.6 198.7 0 0 skin
CPT 20610 63.4 43.99 295.19 0 0 bone
CPT 22551 1673.61 1673.61 12866.8 0 0 spine
CPT 22612 1553.6 1553.6 18390 0 0 spine
CPT 23412 842.63 842.63 7143.73 0 0 bone
CPT 27130 1259.25 1259.25 12866.8 0 0 bone
CPT 27447 1257.63 1257.63 12866.8 0 0 bone
CPT 29827 1050.29 1050.29 7143.73 0 0 bone
CPT 29881 538.25 538.25 3244.61 0 0 bone
CPT 36415 8.57 8.57 0 0 0 laboratory
CPT 43235 276.24 118.06 937.56 0 0 digestive
CPT 43239 357.11 132.62 937.56 0 0 digestive
CPT 43644 1693.34 1693.34 0 0 0 surgery
CPT 44970 591.62 591.62 5834.36 0 0 surgery
CPT 45378 327.67 177.26 911.71 0 0 digestive
CPT 45380 414.68 192.79 1179.08 0 0 digestive
CPT 45385 435.38 242.92 1179.08 0 0 digestive
CPT 47562 648.87 648.87 5834.36 0 0 surgery
CPT 49505 515.6 515.6 3529.06 0 0 surgery
CPT 50590 716.8 557.98 3448.97 0 0 urology
CPT 52000 213.16 77.31 667.47 0 0 urology
CPT 58558 1207.17 224.48 3179.53 0 0 birth
CPT 58571 885.65 885.65 10411.2 0 0 birth
CPT 59400 2355.47 2355.47 0 0 0 birth
CPT 59510 2616.51 2616.51 0 0 0 birth
CPT 62323 246.8 96.07 692.52 0 0 spine
CPT 64483 236.13 107.71 890.29 0 0 spine
CPT 64721 443.79 436.35 1952.77 0 0 spine
CPT 66984 521.75 521.75 2280.73 0 0 eye
CPT 69436 156.88 156.88 1481.28 0 0 ear
CPT 70450 105.13 105.13 106.34 38.82 66.31 imaging
CPT 70551 193.43 193.43 241.72 67.28 126.15 imaging
CPT 70553 314.08 314.08 357.13 104.8 209.28 imaging
CPT 71045 25.23 25.23 88.05 8.41 16.82 imaging
CPT 71046 32.67 32.67 88.05 10.03 22.64 imaging
CPT 71250 131 131 106.34 49.17 81.84 imaging
CPT 71260 164.32 164.32 178.02 53.05 111.27 imaging
CPT 72100 38.49 38.49 106.34 10.35 28.14 imaging
CPT 72141 187.61 187.61 241.72 67.6 120.01 imaging
CPT 72148 188.26 188.26 241.72 67.6 120.65 imaging
CPT 73030 33.64 33.64 88.05 8.73 24.91 imaging
CPT 73221 200.55 200.55 241.72 61.78 138.77 imaging
CPT 73630 32.99 32.99 88.05 7.76 25.23 imaging
CPT 73721 200.22 200.22 241.72 61.78 138.44 imaging
CPT 74176 180.82 180.82 241.72 79.25 101.57 imaging
CPT 74177 297.26 297.26 357.13 83.45 213.81 imaging
CPT 76536 106.1 106.1 106.34 25.88 80.22 imaging
CPT 76700 111.92 111.92 106.34 36.88 75.04 imaging
CPT 76805 130.03 130.03 106.34 45.61 84.42 imaging
CPT 76830 114.18 114.18 106.34 31.7 82.48 imaging
CPT 76856 101.57 101.57 106.34 31.38 70.19 imaging
CPT 77067 124.53 124.53 0 34.93 89.6 imaging
CPT 77080 38.17 38.17 106.34 9.06 29.11 imaging
CPT 78452 408.86 408.86 1305.48 72.13 336.73 imaging
CPT 92004 142.97 89.28 128.87 0 0 eye
CPT 92014 120.98 72.13 128.87 0 0 eye
CPT 92507 75.04 75.04 0 0 0 therapy
CPT 92557 35.26 30.73 156.46 0 0 ear
CPT 93000 13.91 13.91 0 0 0 heart
CPT 93005 6.15 6.15 59.4 0 0 heart
CPT 93010 7.76 7.76 0 0 0 heart
CPT 93306 187.93 187.93 548.3 65.34 122.59 heart
CPT 93880 181.79 181.79 241.72 36.23 145.56 heart
CPT 93970 178.88 178.88 241.72 31.05 147.82 heart
CPT 94010 26.52 26.52 156.46 7.76 18.76 lung
CPT 94060 37.85 37.85 311.4 9.7 28.14 lung
CPT 95810 608.44 608.44 1017.39 112.24 496.2 lung
CPT 95811 637.23 637.23 1017.39 117.09 520.13 lung
CPT 96365 57.9 57.9 210.69 0 0 infusion
CPT 96372 13.91 13.91 71.17 0 0 infusion
CPT 96413 119.36 119.36 331.69 0 0 infusion
CPT 97110 28.79 28.79 0 0 0 therapy
CPT 97112 32.02 32.02 0 0 0 therapy
CPT 97140 27.17 27.17 0 0 0 therapy
CPT 97161 98.01 98.01 0 0 0 therapy
CPT 97530 34.61 34.61 0 0 0 therapy
CPT 98940 26.52 21.35 25.3 0 0 spine adjustment
CPT 98941 38.49 32.67 25.3 0 0 spine adjustment
CPT 90791 166.91 142.97 160.67 0 0 mind
CPT 90834 104.16 90.89 160.67 0 0 mind
CPT 90837 154.29 134.56 160.67 0 0 mind
CPT 90847 102.86 102.54 160.67 0 0 mind
CPT 90471 20.05 20.05 71.17 0 0 office
CPT 90935 67.93 67.93 699.72 0 0 kidney
CPT 88305 69.54 69.54 53.43 34.93 34.61 pathology
CPT 80053 10.56 10.56 0 0 0 laboratory
CPT 80061 13.39 13.39 0 0 0 laboratory
CPT 85025 7.77 7.77 0 0 0 laboratory
CPT 83036 9.71 9.71 0 0 0 laboratory
CPT 84443 16.8 16.8 0 0 0 laboratory
CPT 81001 3.17 3.17 0 0 0 laboratory
CPT 87086 8.07 8.07 0 0 0 laboratory
CPT 87635 51.31 51.31 0 0 0 laboratory
CPT 00142 203.2 203.2 0 0 0 anesthesia
CPT 00400 142.24 142.24 0 0 0 anesthesia
CPT 00811 162.56 162.56 0 0 0 anesthesia
CPT 00840 142.24 142.24 0 0 0 anesthesia
CPT 01967 182.88 182.88 0 0 0 anesthesia
HCPCS G0439 126.47 126.47 0 0 0 office
HCPCS G0463 121 121 128.87 0 0 clinic
HCPCS G0105 327.67 177.26 911.71 0 0 digestive
HCPCS G0121 327.99 177.58 911.71 0 0 digestive
HCPCS G2211 15.53 15.53 0 0 0 office
HCPCS J0178 771.56 771.56 771.56 0 0 drug
HCPCS J0585 6.5 6.5 6.5 0 0 drug
HCPCS J0897 29.38 29.38 29.38 0 0 drug
HCPCS J1100 0.09 0.09 0.09 0 0 drug
HCPCS J1745 31.09 31.09 31.09 0 0 drug
HCPCS J1885 0.3 0.3 0.3 0 0 drug
HCPCS J2405 0.09 0.09 0.09 0 0 drug
HCPCS J2506 89.34 89.34 89.34 0 0 drug
HCPCS J3301 0.84 0.84 0.84 0 0 drug
HCPCS J7325 7.95 7.95 7.95 0 0 drug
HCPCS J9035 73.2 73.2 73.2 0 0 drug
HCPCS J9271 60.29 60.29 60.29 0 0 drug
HCPCS J9299 32.96 32.96 32.96 0 0 drug
HCPCS J9312 75.22 75.22 75.22 0 0 drug
HCPCS Q5103 19.99 19.99 19.99 0 0 drug
HCPCS A0428 262 262 262 0 0 ambulance
HCPCS A0429 419 419 419 0 0 ambulance
HCPCS Q9967 0.15 0.15 0.15 0 0 imaging
`

// MS-DRG weight of fiscal year 2026 times a base rate of 7,117 dollars.
const stays = `
001 199446
064 14312
065 7190
177 11122
189 8792
190 7884
193 9355
194 5736
291 9137
292 6042
310 4029
330 17061
378 6980
392 5548
418 12039
469 21587
470 13728
480 20727
481 14907
522 15072
603 6198
682 10540
690 5761
787 7948
788 6824
794 10504
795 1422
806 5366
807 4798
871 13825
872 7283
885 9941
`

// APR-DRG with severity, and a plausible Medicare-sized amount.
const aprStays = `
139 2 6900
194 3 11200
302 1 14100
302 2 15900
540 1 5600
560 1 4300
560 2 5000
720 3 15200
`

// Revenue codes: room and board by the day, the rest as a percent of billed charges.
const revenue = `
0110 day 3100
0120 day 2700
0128 day 2300
0200 day 5200
0250 percent 65
0300 percent 65
0320 percent 65
0360 percent 55
0450 percent 60
0490 percent 58
0636 percent 70
0710 day 900
`

const localServices = `
LAB01 18 laboratory
PT-EVAL 96 therapy
WELL1 140 office
`

export const families = [
  'ambulance',
  'anesthesia',
  'birth',
  'bone',
  'clinic',
  'digestive',
  'drug',
  'ear',
  'emergency',
  'eye',
  'heart',
  'hospital visit',
  'imaging',
  'infusion',
  'kidney',
  'laboratory',
  'lung',
  'mind',
  'office',
  'pathology',
  'skin',
  'spine',
  'spine adjustment',
  'surgery',
  'therapy',
  'urology',
] as const
export type Family = (typeof families)[number]

/** A service that is billed by the piece. Amounts are whole cents. */
export interface DemoService {
  readonly type: 'CPT' | 'HCPCS' | 'LOCAL'
  readonly code: string
  readonly family: Family
  readonly office: number
  readonly facility: number
  readonly outpatient: number
  readonly professionalComponent: number
  readonly technicalComponent: number
}

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

const cents = (dollars: string | undefined) => Math.round(Number(dollars) * 100)

export const demoServices: readonly DemoService[] = [
  ...lines(services).map((line) => {
    const [type, code = '', office, facility, outpatient, professional, technical, ...family] =
      line.split(' ')
    return {
      type: type as DemoService['type'],
      code,
      family: family.join(' ') as Family,
      office: cents(office),
      facility: cents(facility),
      outpatient: cents(outpatient),
      professionalComponent: cents(professional),
      technicalComponent: cents(technical),
    }
  }),
  ...lines(localServices).map((line) => {
    const [code = '', amount, family] = line.split(' ')
    return {
      type: 'LOCAL' as const,
      code,
      family: family as Family,
      office: cents(amount),
      facility: cents(amount),
      outpatient: 0,
      professionalComponent: 0,
      technicalComponent: 0,
    }
  }),
]

/** A hospital stay that is billed by its group. */
export interface DemoStay {
  readonly type: 'MS-DRG' | 'APR-DRG'
  readonly code: string
  readonly severity: string
  readonly amount: number
}

export const demoStays: readonly DemoStay[] = [
  ...lines(stays).map((line) => {
    const [code = '', amount] = line.split(' ')
    return { type: 'MS-DRG' as const, code, severity: '', amount: cents(amount) }
  }),
  ...lines(aprStays).map((line) => {
    const [code = '', severity = '', amount] = line.split(' ')
    return { type: 'APR-DRG' as const, code, severity, amount: cents(amount) }
  }),
]

/** A revenue code: dollars a day in cents, or hundredths of a percent of charges. */
export interface DemoRevenue {
  readonly code: string
  readonly unit: 'per diem' | 'percentage'
  readonly amount: number
}

export const demoRevenue: readonly DemoRevenue[] = lines(revenue).map((line) => {
  const [code = '', unit, amount] = line.split(' ')
  return { code, unit: unit === 'day' ? 'per diem' : 'percentage', amount: cents(amount) }
})
