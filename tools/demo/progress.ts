// How far it is: one line that moves on a terminal, one line a step elsewhere.
import type { Tell } from './fill.ts'

const pauseMs = 200

export function showProgress(): Tell {
  let shownAt = 0
  return (what, done, all) => {
    const isDone = done === all
    if (!isDone && (!process.stdout.isTTY || Date.now() - shownAt < pauseMs)) return
    shownAt = Date.now()
    const part = all > 1 ? `${done} of ${all}` : isDone ? 'done' : '...'
    const clear = process.stdout.isTTY ? '\r\u001B[K' : ''
    process.stdout.write(`${clear}${what}: ${part}${isDone ? '\n' : ''}`)
  }
}
