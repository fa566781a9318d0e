// Files that the code finds at run time: named by the `imports` of the nearest package.json, which the build has anew.
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

/** The path of a file. Throws where there is none. */
export function ownFile(name: `#${string}`): string {
  return resolve(name)
}
