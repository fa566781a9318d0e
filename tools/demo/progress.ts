// How far it is: one line that moves on a terminal; elsewhere a line now and then.
import type { Tell } from './fill.ts'

export function showProgress(): Tell {
  const { isTTY } = process.stdout
  const [pauseMs, before, after] = isTTY ? [200, '\r\u001B[K', ''] : [10_000, '', '\n']
  let shown = { what: '', at: Date.now() }
  return (what, done, all) => {
    const isNext = what !== shown.what
    if (done < all && !isNext && Date.now() - shown.at < pauseMs) return
    shown = { what, at: Date.now() }
    const part =
      all > 1 ? `${done.toLocaleString('en')} of ${all.toLocaleString('en')}` : done ? 'done' : '...'
    process.stdout.write(`${before}${what}: ${part}${done === all && isTTY ? '\n' : after}`)
  }
}
