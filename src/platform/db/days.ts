import { sql, type SQL } from 'drizzle-orm'

/** As YYYY-MM-DD, which is how the Swedish locale writes dates. */
export function dayIn(timeZone: string, moment: Date): string {
  return moment.toLocaleDateString('sv-SE', { timeZone })
}

export function midnight(day: string, timeZone: string, later = 0): SQL {
  return sql`(${day}::date + ${later}::int)::timestamp at time zone ${timeZone}`
}
