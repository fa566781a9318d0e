import { startIslands } from '../start.tsx'

/** The notices, whose place comes alive with any island. */
export const start = () => startIslands([], {})
