// Before and after every test. Vitest runs this again for each file, though the files of a worker share their modules.
import { afterEach, beforeEach, vi, type MockInstance } from 'vitest'
import { time } from './time.ts'

let complaints: unknown[][] = []
let spy: MockInstance<typeof console.error>

// A file may open a shop before its first test.
time.ahead = 0

beforeEach(() => {
  time.ahead = 0
  complaints = []
  spy = vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words))
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

/** What complains on the console fails its test, unless the test expected that and mocked it. */
afterEach(() => {
  spy.mockRestore()
  if (complaints.length > 0) throw new Error(`Unexpected console.error: ${complaints.map(String).join('\n')}`)
})
