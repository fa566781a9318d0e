// A clock for a test to set ahead; each test begins in the present.
import { beforeEach } from 'vitest'

/** Milliseconds. */
export const time = { ahead: 0 }

export const clock = () => new Date(Date.now() + time.ahead)

beforeEach(() => {
  time.ahead = 0
})
