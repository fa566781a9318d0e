// A clock for a test to set ahead; each test begins in the present, by each-test.ts.

/** Milliseconds. */
export const time = { ahead: 0 }

export const clock = () => new Date(Date.now() + time.ahead)
