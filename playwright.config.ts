import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { clearEnvironment } from '#test/environment.ts'

// Here, so that it holds however Playwright is started: each of its processes reads this file.
clearEnvironment()
// Every journey's shop is a process of the same sources: compiled once, it starts in two thirds of the processor time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'dist/compiled')

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.test.ts',
  projects: [
    // Every commit passes the journeys that nobody could do without, and the screens that most people see.
    { name: 'commit', grep: /@commit/ },
    { name: 'rest', grepInvert: /@commit/ },
  ],
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.ts',
  // One more than cores: a journey waits for half of its time.
  workers: 3,
  // Shared build machines stall for seconds at times; what fails twice is broken.
  retries: process.env['CI'] ? 1 : 0,
  // Journeys wait for conditions; the limits are for what never comes, on one core beside a busy neighbour too.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['JOURNEYS_REPORT'] ?? 'test-results/report.json' }],
  ],
})
