// The routes of a restore by screen. The link of the setup is the permission: it is in each body, or in a header of an upload.
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, createApi, ok, route } from '#platform/http/route.ts'
import { setupLink } from '#contract/setup/setup.ts'
import { openBackupRequest, restoreState, startRestoreRequest } from '#contract/setup/setup-restore.ts'
import { openBackup, readRestore, startRestore } from './setup-restore.ts'
import type { SetupShop } from './shop.ts'

const returns = ok(restoreState, 'How far the restore is')

export function setupRestoreApi(services: SetupShop) {
  // A screen asks every second, for as long as a restore takes.
  const watching = limitPerAddress(services, 'restore-state', { limit: 4_000, windowSeconds: 3600 })
  const limited = limitPerAddress(services, 'restore', { limit: 30, windowSeconds: 3600 })
  return createApi()
    .openapi(
      route('post', '/setup/restore/state', {
        ...body(setupLink),
        middleware: watching,
        returns,
        isPublic: true,
      }),
      async (c) => c.json(await readRestore(services, c.req.valid('json').token), 200),
    )
    .openapi(
      route('post', '/setup/restore/open', {
        ...body(openBackupRequest),
        middleware: limited,
        returns,
        isPublic: true,
      }),
      async (c) => c.json(await openBackup(services, c.req.valid('json')), 200),
    )
    .openapi(
      route('post', '/setup/restore/start', {
        ...body(startRestoreRequest),
        middleware: limited,
        returns,
        isPublic: true,
      }),
      async (c) => {
        const { token, name } = c.req.valid('json')
        return c.json(await startRestore(services, token, name), 200)
      },
    )
}

export const linkHeader = 'x-setup-link'
