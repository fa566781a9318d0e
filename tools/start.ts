// `npm start`: builds the shop when its sources have changed, then runs what was built.
import { join } from 'node:path'
import { ensureBuilt } from '#pages/build.ts'
import { root } from './run.ts'

try {
  ensureBuilt()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
await import(join(root, 'build/shop/main.js'))
