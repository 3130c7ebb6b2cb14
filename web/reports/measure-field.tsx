import { SelectField } from '../parts/form.tsx'
import { measureOptions } from './columns.ts'
import type { useViewParams } from './view-params.ts'

/** Chooses whether a tab shows dollars or percents of Medicare. */
export const MeasureField = ({
  view,
  measure,
}: {
  view: ReturnType<typeof useViewParams>
  measure: string
}) => (
  <SelectField
    label="Rates in"
    value={measure}
    onChange={(next) => view.set({ measure: next })}
    options={measureOptions}
  />
)
