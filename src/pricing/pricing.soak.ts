// The comparisons with the plain reading of the rules, in thousands: twelve questions per round.
process.env['RATEBOOK_TEST_RUNS'] = '500'
await import('../warehouse/build-month.test.ts')
await import('./benchmarks.test.ts')
await import('./provider-rates.test.ts')
await import('./market-rates.test.ts')
await import('./settings.test.ts')
