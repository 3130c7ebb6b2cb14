// Every real name instead of every fourth.
process.env['RATEBOOK_TEST_ALL_NAMES'] = 'yes'
await import('./real-names.test.ts')
