// How the tables of permissions are written: a route, what it is called with, and the status for each caller.

export type Caller = 'anonymous' | 'buyer' | 'other' | 'admin'
export type Statuses = Record<Caller, number>

/** What the calls are about: all of it is the user's. */
export type Own = {
  product_id: string
  purchase_id: string
  file: string
  list: string
  draft: string
  factor_id: string
  other_id: string
  /** Another admin. */
  admin_id: string
}

export type Call = {
  path?: (own: Own) => string
  body?: (own: Own) => unknown
  statuses: Statuses
}

export const everyone = (status: number): Statuses => ({
  anonymous: status,
  buyer: status,
  other: status,
  admin: status,
})
export const signedIn = (status: number): Statuses => ({ ...everyone(status), anonymous: 401 })
export const owner = (status: number): Statuses => ({
  anonymous: 401,
  buyer: status,
  other: 404,
  admin: 404,
})
export const admins = (status: number): Statuses => ({
  anonymous: 401,
  buyer: 403,
  other: 403,
  admin: status,
})
