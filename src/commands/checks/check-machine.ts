import { existsSync, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { dataFolders } from '#platform/private-data.ts'
import { isSecretFile } from '#platform/secret.ts'
import { sizeOf } from '../shell.ts'
import { ok, unknown, warn, wrong, type Verdict } from './finding.ts'

const forOthers = 0o077
const minFreeBytes = 64 * 1024 * 1024
const lowFreeBytes = 1024 ** 3

export function isOfAnotherUser(dataDir: string): boolean {
  const result = statSync(dataDir, { throwIfNoEntry: false })
  return result !== undefined && process.getuid !== undefined && result.uid !== process.getuid()
}

export function checkRights(dataDir: string): Verdict {
  if (!existsSync(dataDir)) return unknown(`there is no ${dataDir} yet`, '`lectern start` makes it.')
  if (isOfAnotherUser(dataDir))
    return unknown(
      `${dataDir} belongs to another user`,
      'Run this command as the user that runs the shop: else what it writes may lock the shop out.',
    )
  const secrets = readdirSync(dataDir).filter(isSecretFile)
  const open = [...dataFolders, ...secrets].filter((name) => isOpenToOthers(join(dataDir, name)))
  if (open.length === 0) return ok(`only the shop's user can read ${dataDir}`)
  return warn(
    `other users of this machine can read ${open.join(', ')} in ${dataDir}`,
    `Take their rights away: chmod -R go= ${open.map((name) => join(dataDir, name)).join(' ')}`,
  )
}

function isOpenToOthers(path: string): boolean {
  const result = statSync(path, { throwIfNoEntry: false })
  return result !== undefined && (result.mode & forOthers) !== 0
}

export async function checkDisk(dataDir: string): Promise<Verdict> {
  const result = await statfs(dataDir).catch(() => undefined)
  if (!result)
    return unknown(`the disk of ${dataDir} cannot be asked`, 'The folder is made at the first start.')
  const free = result.bavail * result.bsize
  const says = `${sizeOf(free)} of ${sizeOf(result.blocks * result.bsize)} are free`
  const advice = 'Make room, `lectern tidy` lists what restores and uploads have left, or add a larger disk.'
  if (free < minFreeBytes) return wrong(says, advice)
  return free < lowFreeBytes ? warn(says, advice) : ok(says)
}
