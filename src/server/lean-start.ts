// Imported before all else, and only by main.ts: what keeps the start short and the memory of an idle shop small.
import { registerHooks, type ResolveFnOutput } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const entries = new Map<string, ResolveFnOutput>()

// Node 24 parses a package's whole `exports` anew for each of its files. That of drizzle-orm 0.45 is so long that this
// takes 150 MB and a quarter of a second; that of 1.0 is short.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && context.parentURL?.includes('/node_modules/drizzle-orm/')) {
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    }
    if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context)
    const entry = entries.get(specifier) ?? { ...next(specifier, context), shortCircuit: true }
    entries.set(specifier, entry)
    return entry
  },
})

/** What loading leaves behind, 40 MB, V8 would keep until visitors have filled the heap. Takes about 60 ms. */
export function forgetStart(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}
