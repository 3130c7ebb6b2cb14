// The check digit of an NPI is a sum over its digits, so that of ten is the sum of two tables of five, each made ten at a time.
// They are made when they are needed first, which in most files is never.
let checkHigh = new Uint8Array(0)
let checkLow = new Uint8Array(0)

function makeCheckTables(): void {
  checkHigh = new Uint8Array(100_000)
  checkLow = new Uint8Array(100_000)
  for (let size = 1, place = 0; size < 100_000; size *= 10, place++) {
    for (let digit = 9; digit >= 0; digit--) {
      const twice = digit > 4 ? digit * 2 - 9 : digit * 2
      const [high, low] = place % 2 === 0 ? [twice, digit] : [digit, twice]
      for (let rest = 0; rest < size; rest++) {
        checkHigh[digit * size + rest] = checkHigh[rest]! + high
        checkLow[digit * size + rest] = checkLow[rest]! + low
      }
    }
  }
}

/** The same answer as `npiCheckDigitHolds` for ten digits, by two look-ups. */
export function checkDigitHolds(npi: number): boolean {
  if (checkHigh.length === 0) makeCheckTables()
  const high = Math.floor(npi / 100_000)
  return (24 + checkHigh[high]! + checkLow[npi - high * 100_000]!) % 10 === 0
}
