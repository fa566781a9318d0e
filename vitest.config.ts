import { defineConfig } from 'vitest/config'
import { forgetEnvironment } from './test/environment.ts'

// Here, so that it holds however Vitest is started: its workers inherit what this process has.
forgetEnvironment()

export default defineConfig({
  envDir: false,
  test: {
    include: ['{src,test,content,tools}/**/*.test.ts'],
    globalSetup: './test/global-setup.ts',
    setupFiles: './test/console.ts',
    // Shared build machines stall for seconds at times; what fails twice is broken.
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    maxWorkers: 2,
  },
})
