// `npm start`, `npm run admin`, `npm run demo`: builds the shop when its sources have changed, then runs the command of
// the build that the first argument names.
import { join } from 'node:path'
import { ensureBuilt } from './build.ts'

try {
  ensureBuilt()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
await import(join(import.meta.dirname, '../dist/server/lectern.js'))
