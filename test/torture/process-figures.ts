// What a process holds, as Linux tells it.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Open files, pipes and the like, but no sockets. */
export function countFiles(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((fd) => {
    try {
      return !readlinkSync(`${folder}/${fd}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length
}

/** Bytes. */
export function residentMemory(pid: number): number {
  const [, kB] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kB) * 1024
}

const established = '01'

/** Connections that are open at a TCP port of this machine. */
export function countConnections(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  return lines.filter((line) => {
    const [, address = '', , state] = line.trim().split(/\s+/)
    return address.endsWith(local) && state === established
  }).length
}
