// The island of a page that has no other one: it shows toasts.
import { startIslands } from './start.tsx'

/** The notices, whose place comes alive with any island. */
export const start = () => startIslands([], {})
