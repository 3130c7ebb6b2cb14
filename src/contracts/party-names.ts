const incorporation =
  /[\s,]+(inc|incorporated|llc|l\.l\.c|corp|corporation|co|ltd|limited|lp|l\.p|llp|l\.l\.p|pllc|p\.l\.l\.c|pa|p\.a|pc|p\.c)\.?$/i

/** A party's name without line breaks and without its words of incorporation: `Cedar Valley Clinic, P.A.` is `Cedar Valley Clinic`. */
export function normalizedPartyName(name: string): string {
  let rest = name.replaceAll(/\s+/g, ' ').trim()
  for (;;) {
    const shorter = rest.replace(incorporation, '').replace(/[\s,]+$/, '')
    if (shorter === rest || shorter === '') return rest
    rest = shorter
  }
}
