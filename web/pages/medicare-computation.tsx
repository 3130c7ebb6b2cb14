import { moneyText } from '../parts/format.ts'

/** A row of any of the datasets. */
export type MedicareRow = Record<string, unknown>

/** What the computation of an amount needs of a row. */
interface Computable {
  readonly code: string
  readonly modifier: string | null
  readonly year: number
  readonly state: string
  readonly localityName: string | null
  readonly workRvu: number
  readonly nonFacilityPracticeExpenseRvu: number
  readonly facilityPracticeExpenseRvu: number
  readonly malpracticeRvu: number
  readonly workIndex: number
  readonly practiceExpenseIndex: number
  readonly malpracticeIndex: number
  readonly workAdjuster: number
  readonly conversionFactor: number
  readonly nonFacilityAmount: number | null
  readonly facilityAmount: number | null
}

export const isComputable = (row: MedicareRow): row is MedicareRow & Computable =>
  typeof row['workRvu'] === 'number' && typeof row['workIndex'] === 'number'

/** How Medicare comes to the amount, with the numbers of the row in the formula. */
export function MedicareComputation({ row }: { row: Computable }) {
  const where = row.localityName ?? 'nationally'
  return (
    <section className="card" aria-labelledby="computation-title">
      <h2 id="computation-title">
        How {row.code}
        {row.modifier ? `-${row.modifier}` : ''} comes about in {row.year}, {where}
      </h2>
      <p className="soft">
        Three relative values (RVU) are each multiplied by the cost index of the locality (GPCI), added up,
        multiplied by the year’s conversion factor, and rounded once to the cent, half up.
        {row.state === 'national' && ' National amounts use indices of one.'}
      </p>
      <Setting
        title="Non-facility: in an office"
        row={row}
        practiceExpense={row.nonFacilityPracticeExpenseRvu}
        amount={row.nonFacilityAmount}
      />
      <Setting
        title="Facility: where a hospital is paid as well"
        row={row}
        practiceExpense={row.facilityPracticeExpenseRvu}
        amount={row.facilityAmount}
      />
    </section>
  )
}

function Setting({
  title,
  row,
  practiceExpense,
  amount,
}: {
  title: string
  row: Computable
  practiceExpense: number
  amount: number | null
}) {
  const adjusted = row.workAdjuster !== 1
  return (
    <div className="stack tight">
      <h3>{title}</h3>
      {amount === null ? (
        <p className="soft">The schedule does not pay this code here.</p>
      ) : (
        <div className="formula">
          <span>(</span>
          <Term
            name={adjusted ? 'work × index × adjustment' : 'work × index'}
            text={[row.workRvu, row.workIndex.toFixed(3), ...(adjusted ? [row.workAdjuster] : [])].join(
              ' × ',
            )}
          />
          <span>+</span>
          <Term
            name="practice expense × index"
            text={`${practiceExpense} × ${row.practiceExpenseIndex.toFixed(3)}`}
          />
          <span>+</span>
          <Term
            name="malpractice × index"
            text={`${row.malpracticeRvu} × ${row.malpracticeIndex.toFixed(3)}`}
          />
          <span>)</span>
          <span>×</span>
          <Term name="conversion factor" text={`$${row.conversionFactor}`} />
          <span>=</span>
          <Term name="amount" text={moneyText(amount)} strong />
        </div>
      )}
    </div>
  )
}

function Term({ name, text, strong = false }: { name: string; text: string; strong?: boolean }) {
  return (
    <span className="term">
      {strong ? <strong>{text}</strong> : <span>{text}</span>}
      <small>{name}</small>
    </span>
  )
}
