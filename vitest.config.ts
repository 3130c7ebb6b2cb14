import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores are the smallest machine we promise to run on.
    maxWorkers: 2,
    maxConcurrency: 3,
  },
})
