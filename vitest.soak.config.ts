import { defineConfig } from 'vitest/config'

/** The long rounds: fuzzing, kills, soaks. `npm test` holds a short version of each. */
export default defineConfig({
  test: {
    include: ['src/**/*.soak.ts', 'test/**/*.soak.ts'],
    testTimeout: 60 * 60_000,
    hookTimeout: 10 * 60_000,
    maxWorkers: 1,
  },
})
