// Runs one of the project's commands, its output passed on; used by the tools that string several together.
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

export const root = join(import.meta.dirname, '..')

type Options = {
  env?: NodeJS.ProcessEnv
  /** The output is passed on when the command has ended, so that it does not mix with that of others. */
  isPrintedAtEnd?: boolean
}

/** The exit code; commands installed here are found first. */
export function run(
  command: string,
  args: readonly string[],
  { env = {}, isPrintedAtEnd = false }: Options = {},
): Promise<number> {
  const PATH = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: isPrintedAtEnd ? ['inherit', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, PATH, ...env },
    })
    const printed: Buffer[] = []
    for (const output of [child.stdout, child.stderr])
      output?.on('data', (bytes: Buffer) => void printed.push(bytes))
    child.on('error', reject)
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(printed))
      resolve(code ?? 1)
    })
  })
}
