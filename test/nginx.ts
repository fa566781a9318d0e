// nginx with the configuration that docs/operations.md shows for several machines, where nginx is installed.
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from './find-free-port.ts'
import { startProcess } from './start-process.ts'

const program = '/usr/sbin/nginx'
export const hasNginx = existsSync(program)

/** In front of two shops, by host and port. Its logs are in `folder`. */
export async function openNginx(folder: string, shops: readonly [string, string]) {
  const address = `127.0.0.1:${await findFreePort()}`
  const file = join(folder, 'nginx.conf')
  await mkdir(folder, { recursive: true })
  await writeFile(file, configuration(folder, address, shops))
  const server = startProcess(program, ['-c', file, '-e', join(folder, 'error.log')])
  while (!(await isListening(address))) {
    if (!server.isRunning()) throw new Error(`nginx ended. ${(await server.ended).stderr}`)
    await sleep(5)
  }
  const stop = async () => void (await server.stop())
  return { url: `http://${address}`, pid: server.pid, [Symbol.asyncDispose]: stop }
}

function isListening(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(address.split(':')[1]), '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

function configuration(folder: string, address: string, [first, second]: readonly [string, string]): string {
  const docs = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8')
  const [, shown] = /^## Several machines$[^]*?```nginx\n([^]*?)```/m.exec(docs) ?? []
  if (!shown) throw new Error('docs/operations.md shows no nginx configuration for several machines.')
  const servers = shown
    .replaceAll('10.0.0.11:3000', first)
    .replaceAll('10.0.0.12:3000', second)
    .replace('listen 443 ssl;', `listen ${address};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
    pid ${folder}/nginx.pid;
    worker_processes 2;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 4096; }
    http {
      access_log ${folder}/access.log;
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      ${servers}
    }`
}
