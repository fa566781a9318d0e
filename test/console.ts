// A test during which something complains on the console fails, unless it expected that and mocked it.
import { afterEach, beforeEach, vi, type MockInstance } from 'vitest'

let complaints: unknown[][] = []
let spy: MockInstance<typeof console.error>

beforeEach(() => {
  complaints = []
  spy = vi.spyOn(console, 'error').mockImplementation((...words) => void complaints.push(words))
})

afterEach(() => {
  spy.mockRestore()
  if (complaints.length > 0) throw new Error(`Unexpected console.error: ${complaints.map(String).join('\n')}`)
})
