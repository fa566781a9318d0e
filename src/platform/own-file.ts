// The build has `imports` of its own in dist/package.json.
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

export function ownFile(name: `#${string}`): string {
  return resolve(name)
}
