// A Debian in a folder, made of Debian's packages, with processes and mounts of its own. systemd does not run in it: units
// are started by the stand-ins beside this file. Its network is that of this machine.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProcess, type ChildProcess } from '../../start-process.ts'

const isThere = (program: string) => existsSync(`/usr/bin/${program}`)

/** What is missing to make one; empty where nothing is. */
export function missingForMachine(): string {
  if (process.getuid?.() !== 0) return 'root'
  const missing = ['mmdebstrap', 'unshare', 'nsenter'].filter((program) => !isThere(program))
  return missing.length > 0 ? `${missing.join(', ')}: apt-get install mmdebstrap util-linux` : ''
}

/** As a provider's image of a server has them, without Node and a web server. */
const packages = ['ca-certificates', 'iproute2', 'procps', 'systemd']

export type Machine = AsyncDisposable & {
  root: string
  /** Runs a command as root; `printed` has both outputs. */
  run(...command: string[]): Promise<{ code: number | null; printed: string }>
  start(...command: string[]): ChildProcess
}

export async function openMachine(root: string, names: readonly string[]): Promise<Machine> {
  mkdirSync(root, { recursive: true })
  execFileSync('tar', ['-xf', await makeImage(), '-C', root, '--numeric-owner', '--exclude=./dev/*'])
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'))
  writeFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost ${names.join(' ')}\n`)
  // Packages must not start what they install: install.sh does.
  writeFileSync(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/without-sync'), 'force-unsafe-io\n')
  for (const name of ['systemctl', 'hold-socket'])
    writeFileSync(join(root, 'usr/local/sbin', name), readFileSync(join(import.meta.dirname, name)), {
      mode: 0o755,
    })
  mkdirSync(join(root, 'run/systemd/system'), { recursive: true })
  trustCertificates(root)
  const first = `mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
    exec chroot "$0" sh -c 'while :; do sleep 1 & wait; done'`
  const flags = ['--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private']
  const machine = startProcess('unshare', [...flags, 'sh', '-c', first, root])
  const inside = await findChild(machine.pid)
  const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const start = (...command: string[]) => {
    const enter = [
      '-t',
      String(inside),
      '-m',
      '-p',
      'chroot',
      root,
      'env',
      '-i',
      `PATH=${PATH}`,
      'HOME=/root',
    ]
    return startProcess('nsenter', [...enter, ...command])
  }
  return {
    root,
    start,
    async run(...command) {
      const { code, stdout, stderr } = await start(...command).ended
      return { code, printed: stdout + stderr }
    },
    async [Symbol.asyncDispose]() {
      await machine.stop('SIGKILL')
      await sleep(500)
    },
  }
}

/** Made once, as it takes a minute or two; a file with its name is whole. */
async function makeImage(): Promise<string> {
  const file = join(tmpdir(), 'lectern-debian-bookworm.tar')
  if (existsSync(file)) return file
  console.log('Making a Debian from its packages.')
  const include = `--include=${packages.join(',')}`
  const unfinished = `${file}.${process.pid}.tar`
  const made = await startProcess('mmdebstrap', ['--variant=minbase', include, 'bookworm', unfinished]).ended
  if (made.code !== 0) throw new Error(`mmdebstrap failed. ${made.stderr.slice(-2_000)}`)
  renameSync(unfinished, file)
  return file
}

/** Where this machine reaches npm through a proxy with a certificate of its own. */
function trustCertificates(root: string): void {
  const file = process.env['NODE_EXTRA_CA_CERTS']
  if (!file) return
  copyFileSync(file, join(root, 'root/certificates.crt'))
  writeFileSync(join(root, 'root/.npmrc'), 'cafile=/root/certificates.crt\n')
}

async function findChild(pid: number): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    if (children && readFileSync(`/proc/${children}/comm`, 'utf8').trim() === 'sh') return Number(children)
    await sleep(50)
  }
  throw new Error('The machine does not start.')
}
