import { z } from 'zod'
import { notAllowed } from '../vocabulary/choice.ts'
import { states } from '../vocabulary/enums.ts'
import { MedicareDataset } from '../vocabulary/medicare.ts'
import { list } from './bounds.ts'
import { tool } from './tool.ts'

const amount = z.number().nullable().optional()
const text = z.string().nullable().optional()

/** One amount or weight of a Medicare table. Fields that a dataset does not have are left out. */
export const MedicareRateRow = z
  .object({
    dataset: z.string(),
    code: z.string().nullable(),
    modifier: z.string().nullable(),
    year: z.int().describe('Calendar year; for MS-DRG weights the fiscal year'),
    state: z.string().nullable().describe('Two letters, or national, which has no locality'),
    sourceFile: z.string().describe('The CMS file it was read from'),
    release: z.string().optional().describe('Release of the fee schedule within the year'),
    quarter: z.int().optional(),
    month: z.int().optional().describe('First month of the quarter (Drug ASP)'),
    fiscalYear: z.int().optional(),
    carrier: text,
    locality: text.describe('Locality number within the carrier'),
    localityName: text,
    status: z.string().optional().describe('Status indicator of the fee schedule, such as A (active)'),
    nonFacilityAmount: amount.describe('Dollars in an office; null where the schedule does not pay the code'),
    facilityAmount: amount.describe('Dollars in a facility'),
    nonFacilityNotTypical: z.boolean().optional(),
    facilityNotTypical: z.boolean().optional(),
    nonFacilityCap: amount.describe('Most that is paid for imaging; not applied to the amounts'),
    facilityCap: amount,
    workRvu: z.number().optional(),
    nonFacilityPracticeExpenseRvu: z.number().optional(),
    facilityPracticeExpenseRvu: z.number().optional(),
    malpracticeRvu: z.number().optional(),
    workIndex: z
      .number()
      .optional()
      .describe('Geographic practice cost index (GPCI) of the locality for work; 1 nationally'),
    practiceExpenseIndex: z.number().optional(),
    malpracticeIndex: z.number().optional(),
    workAdjuster: z
      .number()
      .optional()
      .describe('Budget-neutrality adjuster of the work value: 0.8994 in 2007, 0.8806 in 2008, else 1'),
    conversionFactor: z.number().optional().describe('Dollars per relative value or anesthesia unit'),
    effectiveFrom: z.string().optional(),
    effectiveThrough: z.string().optional(),
    participant: z.string().optional().describe('Which conversion factor: all, qualifying, non-qualifying'),
    baseUnits: amount,
    paymentLimit: z.number().optional().describe('Dollars per dosage unit (Drug ASP)'),
    dosage: text,
    weight: z.number().optional().describe('Relative weight of the MS-DRG'),
    weightBeforeCap: amount,
    geometricMeanLengthOfStay: amount,
    arithmeticMeanLengthOfStay: amount,
    majorDiagnosticCategory: text,
    drgType: text,
  })
  .describe('What Medicare pays or weighs')
export type MedicareRateRow = z.infer<typeof MedicareRateRow>

export const medicareRatesMost = 100

const places = [...states, 'national'] as const
const Place = z.enum(places, {
  error: (issue) => notAllowed('state or national', issue.input, places),
})

export const medicareRates = tool({
  name: 'search_medicare_rates',
  title: 'Medicare rates',
  description:
    'What Medicare pays: the Physician Fee Schedule by locality (Physician FFS), drug payment limits (Drug ASP), inpatient relative weights (MS-DRG weight) and anesthesia conversion factors (Anesthesia). Use it to put a negotiated rate in relation to Medicare.',
  credits: 1,
  input: z.strictObject({
    medicareType: MedicareDataset.describe(
      'Dataset: Physician FFS (CPT/HCPCS), Drug ASP (HCPCS drug codes), MS-DRG weight, Anesthesia',
    ),
    codes: list(z.string().trim().min(1).max(20), 100)
      .optional()
      .describe(
        'HCPCS/CPT for Physician FFS, HCPCS for Drug ASP, MS-DRG numbers for MS-DRG weight; omit for Anesthesia (two-letter states here keep their localities, anesthesia codes give base units)',
      )
      .meta({ examples: [['93306']] }),
    years: list(z.int().min(1990).max(2999), 50)
      .optional()
      .describe(
        'Four-digit years; omit for the most recent. History reaches back to 2002 (Physician FFS), 2005 (Drug ASP), FY2008 (MS-DRG weight) where loaded',
      )
      .meta({ examples: [[2026]] }),
    states: list(Place)
      .optional()
      .describe(
        'Two-letter state codes, or national; omit for national. Physician FFS only, ignored otherwise. A state with several localities returns each',
      )
      .meta({ examples: [['FL']] }),
    month: z.int().min(1).max(12).optional().describe('Month 1-12 within the quarter wanted; Drug ASP only'),
    limit: z
      .int()
      .min(1)
      .max(medicareRatesMost)
      .default(medicareRatesMost)
      .describe('How many rows, 1 to 100; default 100'),
  }),
  output: z.object({
    rows: z.array(MedicareRateRow),
    totalRows: z.int().describe('Rows returned'),
    advice: z.string().optional().describe('How to narrow, when more may match'),
  }),
  example: {
    request: { medicareType: 'Physician FFS', codes: ['93306'], states: ['FL'], years: [2026] },
    response: {
      rows: [
        {
          dataset: 'Physician FFS',
          code: '93306',
          modifier: null,
          year: 2026,
          state: 'FL',
          locality: '03',
          localityName: 'FORT LAUDERDALE',
          nonFacilityAmount: 201.3,
          facilityAmount: 201.3,
          conversionFactor: 33.4,
          sourceFile: 'sample.csv',
        },
      ],
      totalRows: 1,
    },
  },
})
export type MedicareRatesRequest = z.output<typeof medicareRates.input>
