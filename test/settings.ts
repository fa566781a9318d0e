// Changing settings as an admin does.
import { openTestShop } from './shop.ts'
import type { Person } from './users.ts'

export async function saveGroup(admin: Person, body: object, group = 'shop') {
  const response = await admin.call('PUT', `/api/admin/settings/${group}`, { body })
  const { code, fields } = (await response.json()) as { code?: string; fields?: Record<string, string> }
  return { status: response.status, ...(code && { code }), ...(fields && { fields }) }
}

/** Its address and time zone are not set by the environment. */
export async function openOwnShop(more: Parameters<typeof openTestShop>[0] = {}) {
  const shop = await openTestShop({ hasWorkers: false, ...more, env: { SITE_URL: '', ...more.env } })
  const admin = await shop.person({ role: 'admin' })
  const events = async () => {
    const { rows } = await shop.services.database.pool.query(
      `select actor, subject, detail from audit_log where action = 'settings.changed' order by created_at`,
    )
    return rows as { actor: string; subject: string; detail: object }[]
  }
  return Object.assign(shop, { admin, events })
}
