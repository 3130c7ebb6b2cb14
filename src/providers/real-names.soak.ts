// Every real name instead of every eighth: some minutes.
process.env['RATEBOOK_TEST_ALL_NAMES'] = 'yes'
await import('./real-names.test.ts')
