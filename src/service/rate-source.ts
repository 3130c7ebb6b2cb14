import { Failure } from '../errors.ts'
import type { WebRequest, WebResponse } from '../operations/app.ts'
import { AskedProviders, askedIdentifiers } from '../pricing/asked-providers.ts'
import type { Providers } from '../providers/open.ts'
import { amountFromText } from '../vocabulary/amount.ts'
import { sourceMonthFromText } from '../vocabulary/period.ts'
import { ProviderAttributes } from '../warehouse/provider-attributes.ts'
import type { Rates } from '../warehouse/rates.ts'

// Rows are not split by what the directory says, so nobody is looked up in it.
const noAttributes = new ProviderAttributes('none')

/** Where in a payer's files a provider's rate was first seen. */
export async function rateSource(
  rates: Rates,
  providers: Pick<Providers, 'hospitalBilling'>,
  { payer, month, type, code, kind, id, value }: WebRequest<'rateSource'>,
): Promise<WebResponse<'rateSource'>> {
  const snapshot = await rates.current()
  const build = snapshot.build(payer, sourceMonthFromText(month)!)
  const wanted = Number(amountFromText(value))
  const [hospital] = kind === 'ccn' ? await providers.hospitalBilling([id]) : []
  const identifiers = askedIdentifiers(
    { npi: { npis: [Number(id)] }, tin: { tins: [Number(id)] }, ccn: { ccns: [id] } }[kind],
    () => hospital?.npis ?? [],
  )
  if (build) {
    const asked = new AskedProviders(build, snapshot.cache, noAttributes, identifiers, [])
    for (const codeRow of asked.isEmpty ? [] : build.rowsOfCode(type, code)) {
      const block = snapshot.cache.prices(build, codeRow)
      const row = block.rate.findIndex(
        (rate, at) => rate === wanted && asked.matches(block.set[at]!).length > 0,
      )
      if (row === -1) continue
      const { digest, entry = '', offset, item, rate } = build.place(build.places(codeRow), row)
      return { digest, entry, offset, place: `in_network[${item}].negotiated_rates[${rate}]` }
    }
  }
  throw new Failure('not_found', 'The loaded files of this month do not hold this rate any more.')
}
