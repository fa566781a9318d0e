// Runs one of the project's commands, its output passed on; used by the tools that string several together.
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

export const root = join(import.meta.dirname, '..')

/** The exit code; commands installed here are found first. */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const PATH = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH, ...env } })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
