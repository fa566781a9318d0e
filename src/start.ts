// `npm start`: builds when that is due, then runs the shop as it was built.
import { ensureBuilt } from '#pages/build.ts'

try {
  ensureBuilt()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
await import(new URL('../build/shop/main.js', import.meta.url).href)
